import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createPainter,
  createScreen,
  expandTabs,
  findTheme,
  measureText,
  toRowText,
  truncateRow,
  truncateText,
  wrapLine,
} from "@unroll/screen";
import { createEmulator } from "../emulator.ts";
import { alignRow } from "../../src/width/fit-row.ts";

const painter = createPainter({ theme: findTheme("dark") ?? expect.fail(), colors: "none", hasLinks: false });

const samples = [
  "plain ASCII",
  "日本語",
  "한국어",
  "각",
  "ｆｕｌｌ",
  "ﾊﾝ",
  "é",
  "é",
  "नमस्ते",
  "ไทย",
  "👍",
  "👍🏽",
  "👩‍👩‍👧",
  "🇩🇪",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "❤️",
  "☎️",
  "1️⃣",
  "✓",
  "…",
  "█░",
  "─│┌",
  "→",
  "①",
  "😀😀",
  "ab\u200d",
  "ﷺ",
  "𠀀",
  "〜",
  "–—",
];

test("text is as wide as a terminal that knows grapheme clusters shows it", async () => {
  const wrong: string[] = [];
  for (const sample of samples) {
    const emulator = createEmulator(80, 4);
    await emulator.write(sample);
    const shown = emulator.cursor().column - 1;
    if (measureText(sample) !== shown) wrong.push(`${sample}: ${measureText(sample)}, shown ${shown}`);
  }
  expect(wrong).toEqual([]);
});

test.each(["reflows", "parts"] as const)(
  "each character of the live region is where it is counted, in a terminal that %s",
  async (kind) => {
    const wrong: string[] = [];
    for (const sample of samples) {
      const emulator = createEmulator(80, 4, kind);
      const screen = createScreen({ columns: 80, rows: 4, painter });
      const show = async (text: string): Promise<void> => {
        screen.setLive([{ rows: [[{ text }]], yields: "never", cursor: { row: 0, column: measureText(text) } }]);
        await emulator.write(screen.frame());
      };
      await show("x".repeat(30)); // old cells
      await show(`${sample}|${sample}|`);
      const width = measureText(sample);
      const cells = [width, 2 * width + 1, 2 * width + 2].map((column) => emulator.cell(0, column));
      if (cells.join() !== "|,|," || emulator.visible()[0]?.includes("x") === true)
        wrong.push(`${sample}: ${cells.join()}`);
      if (emulator.cursor().column !== 2 * width + 3) wrong.push(`${sample}: cursor ${emulator.cursor().column}`);
    }
    expect(wrong).toEqual([]);
  },
);

test.each([
  ["one two three", 8, ["one two", "three"]],
  ["one  two", 5, ["one", "two"]],
  ["exactly", 7, ["exactly"]],
  ["a longwordthatdoesnotfit b", 8, ["a", "longword", "thatdoes", "notfit b"]],
  ["日本語の文章 end", 7, ["日本語", "の文章", "end"]],
  ["  indented text", 10, ["  indented", "text"]],
  ["", 5, [""]],
])("%j in %i cells is broken between words", (text, width, rows) => {
  expect(wrapLine({ spans: [{ text }], wrap: "words" }, width).map(toRowText)).toEqual(rows);
});

test("styles and links continue over a break, and rows hang under the first", () => {
  const line = {
    spans: [
      { text: "- " },
      { text: "bold words", roles: ["strong" as const] },
      { text: " then a link", link: "https://a.example/" },
    ],
    wrap: "words" as const,
    hanging: [{ text: "  " }],
  };
  expect(wrapLine(line, 12)).toEqual([
    [{ text: "- " }, { text: "bold words", roles: ["strong"] }],
    [{ text: "  " }, { text: "then a", link: "https://a.example/" }],
    [{ text: "  " }, { text: "link", link: "https://a.example/" }],
  ]);
});

test("verbatim text is broken where the row is full, and keeps each space", () => {
  expect(wrapLine({ spans: [{ text: "ab  cd日本" }], wrap: "verbatim" }, 5).map(toRowText)).toEqual(["ab  c", "d日本"]);
});

test("what does not fit is cut by cells, with a sign", () => {
  expect(toRowText(truncateRow([{ text: "日本語" }, { text: "text", roles: ["muted"] }], 6))).toBe("日本…");
  expect(truncateText("packages/screen/src/index.ts", 15, "middle")).toBe("package…ndex.ts");
  expect(truncateText("fits", 4)).toBe("fits");
  expect(toRowText(alignRow([{ text: "a long left part" }], [{ text: "right" }], 14))).toBe("a long … right");
  expect(expandTabs("a\tb\t日\tc")).toBe("a   b   日  c");
});

test("a text is broken as if its characters were looked at one by one", () => {
  const word = fc.constantFrom("a", "word", " ", "  ", "   ", "日", "本語", "alongwordwithoutend", "─", "x y", "한");
  const text = fc.array(word, { maxLength: 14 }).map((words) => words.join(""));
  const wrap = fc.constantFrom("words" as const, "verbatim" as const);
  const joined = "e\u0301"; // of two units: where it stands, runs of ASCII are not taken as they are
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 14 }), wrap, (plain, width, how) => {
      const breakIt = (all: string): readonly string[] =>
        wrapLine({ spans: [{ text: all }], wrap: how }, width).map(toRowText);
      const whole = breakIt(plain).slice(0, -1);
      expect(breakIt(plain + joined).slice(0, whole.length)).toEqual(whole);
    }),
  );
});
