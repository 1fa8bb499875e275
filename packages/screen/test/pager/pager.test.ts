import { expect, test } from "vitest";
import {
  createFullScreen,
  createPainter,
  endPager,
  openPager,
  type Pager,
  type PagerSource,
  pressPager,
  renderPager,
  type StyledLine,
  toRowText,
} from "@unroll/screen";
import { darkTheme } from "../dark-theme.ts";
import { createEmulator } from "../emulator.ts";

const size = { columns: 20, rows: 5 };
const painter = createPainter({ theme: darkTheme, colors: "truecolor", hasLinks: true });

function lines(count: number): PagerSource & { looks: number } {
  const source = {
    looks: 0,
    count,
    at(index: number): StyledLine {
      source.looks += 1;
      return { spans: [{ text: source.textAt(index) }], wrap: "words" };
    },
    textAt: (index: number) => (index % 10 === 3 ? `line ${index} is ${"long ".repeat(5).trimEnd()}` : `line ${index}`),
  };
  return source;
}

/** The pager after keys none of which closes it. */
function press(pager: Pager, keys: readonly string[]): Pager {
  let next = pager;
  for (const name of keys) {
    const text = name === "space" ? " " : name.length === 1 ? name : null;
    const pressed = pressPager(next, { type: "key", name, text }, size);
    if (pressed === null) throw new Error(`${name} closed the pager`);
    next = pressed;
  }
  return next;
}

function seen(pager: Pager): string[] {
  return renderPager(pager, size).rows.map(toRowText).slice(0, -1);
}

test("it moves by rows, halves and pages, and never beyond the last one", () => {
  const pager = openPager("all", lines(20));
  expect(seen(pager)).toEqual(["line 0", "line 1", "line 2", "line 3 is long long"]);
  expect(seen(press(pager, ["space"]))).toEqual(["long long long", "line 4", "line 5", "line 6"]);
  expect(seen(press(pager, ["space", "k"]))).toEqual(["line 3 is long long", "long long long", "line 4", "line 5"]);
  expect(seen(press(pager, ["G"]))).toEqual(["line 16", "line 17", "line 18", "line 19"]);
  expect(seen(press(pager, ["G", "space", "j"]))).toEqual(seen(endPager(pager, size)));
  expect(seen(press(pager, ["G", "b", "g"]))).toEqual(seen(pager));
  expect(pressPager(pager, { type: "key", name: "q", text: "q" }, size)).toBe(null);
  expect(seen(press(openPager("none", lines(0)), ["j", "G", "k"]))).toEqual(["", "", "", ""]);
});

test("it searches forwards and backwards, marks what it found and says what it did not", () => {
  const found = press(openPager("all", lines(40)), ["/", "l", "i", "n", "e", "space", "2", "5", "enter"]);
  expect(seen(found)[0]).toBe("line 25");
  expect(renderPager(found, size).rows[0]).toEqual([{ text: "line 25", roles: ["selected"] }]);
  const missed = press(found, ["/", "z", "enter"]);
  expect(toRowText(renderPager(missed, size).rows.at(-1) ?? [])).toMatch(/^not found: z/);
  // from the end upwards, and from either end on to the other
  const long = press(openPager("all", lines(40)), ["G", "/", "l", "o", "n", "g", "enter"]);
  const first = [long, press(long, ["n"]), press(long, ["N"]), press(long, ["N", "N", "N", "N"])].map(
    (at) => at.top.line,
  );
  expect(first).toEqual([33, 3, 23, 33]);
  expect(renderPager(press(found, ["/", "x"]), size)).toMatchObject({ cursor: { row: 4, column: 2 } });
});

test("only lines that are seen are made, however many there are, and none for a search", () => {
  const source = lines(1_000_000);
  seen(press(openPager("all", source), ["G", "b", "b", "space"]));
  expect(source.looks).toBeLessThan(200);
  const searched = lines(10_000);
  expect(seen(press(openPager("all", searched), ["/", "9", "8", "7", "6", "enter"]))[0]).toBe("line 9876");
  expect(searched.looks).toBeLessThan(200);
});

test("the full screen shows rows and gives the inline screen back as it was", async () => {
  const emulator = createEmulator(20, 5);
  await emulator.write("$ unroll\r\nfinished\r\n> here");
  const before = emulator.rows();
  const screen = createFullScreen({ ...size, painter });
  const pager = openPager("all", lines(20));
  const show = async (which: Pager): Promise<string> => {
    const { rows, cursor } = renderPager(which, size);
    const bytes = screen.frame(rows, cursor);
    await emulator.write(bytes);
    return bytes;
  };
  await emulator.write(screen.open());
  await show(pager);
  expect(emulator.visible().slice(0, 4)).toEqual(seen(pager));
  expect(await show(pager)).toBe("");
  expect(await show(press(pager, ["/"]))).not.toContain("line 1");
  await emulator.write(screen.close());
  expect(emulator.rows()).toEqual(before);
});
