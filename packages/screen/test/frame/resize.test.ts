import fc from "fast-check";
import { expect, test } from "vitest";
import {
  control,
  createKeyParser,
  createPainter,
  createScreen,
  type Row,
  type Screen,
  type StyledLine,
} from "@unroll/screen";
import { darkTheme } from "../dark-theme.ts";
import { createEmulator, type Emulator } from "../emulator.ts";

const painter = createPainter({ theme: darkTheme, colors: "16", hasLinks: true });
const encoder = new TextEncoder();

/** Finished text is made of letters, digits and wide characters; the live region of shades, the composer's first row of full blocks. */
const shade = /[\s░█…]/g;

type Action =
  | { type: "commit"; lines: Array<{ text: string; wrap: StyledLine["wrap"] }> }
  | { type: "live"; heights: number; width: number; composer: number }
  | { type: "resize"; columns: number; rows: number; hasAnswer: boolean };

const lineText = fc.array(fc.constantFrom("alpha", "b", "日本語", "👩‍👩‍👧 family", "é", "x".repeat(37), "0123456789"), {
  maxLength: 14,
});
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant("commit" as const),
    lines: fc.array(
      fc.record({
        text: lineText.map((words) => words.join(" ")),
        wrap: fc.constantFrom("words" as const, "verbatim" as const),
      }),
      { maxLength: 6 },
    ),
  }),
  fc.record({
    type: fc.constant("live" as const),
    heights: fc.nat(20),
    width: fc.nat(70),
    composer: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    type: fc.constant("resize" as const),
    columns: fc.integer({ min: 24, max: 90 }),
    rows: fc.integer({ min: 8, max: 30 }),
    hasAnswer: fc.boolean(),
  }),
);

test("whatever is committed, shown and resized, finished text is there once, in order, and the composer is seen", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), fc.constantFrom("reflows", "cuts"), async (actions, kind) => {
      const emulator = createEmulator(80, 24, kind);
      const screen = createScreen({ columns: 80, rows: 24, painter, reflows: kind === "reflows" });
      const committed: string[] = [];
      let writtenUnsettled = "";
      screen.setLive([{ rows: [[{ text: "█" }]], yields: "never", cursor: { row: 0, column: 1 } }]);
      await emulator.write(screen.frame());
      for (const [index, step] of actions.entries()) {
        if (step.type === "commit") {
          const lines = step.lines.map(({ text, wrap }, at): StyledLine => ({
            spans: [{ text: `<${index}.${at}>${text}`, roles: ["code"] }],
            wrap,
          }));
          committed.push(...lines.map((line) => line.spans[0]?.text ?? ""));
          screen.commit(lines);
        } else if (step.type === "live") {
          const tail: Row[] = Array.from({ length: step.heights }, () => [{ text: "░".repeat(step.width) }]);
          const rows: Row[] = Array.from({ length: step.composer }, (_, row) => [{ text: row === 0 ? "█" : "░░░" }]);
          screen.setLive([
            { rows: tail, yields: "oldest" },
            { rows, yields: "never", cursor: { row: step.composer - 1, column: 1 } },
          ]);
        } else {
          emulator.resize(step.columns, step.rows);
          screen.resize({ columns: step.columns, rows: step.rows });
          writtenUnsettled += screen.frame();
          if (step.hasAnswer) await answerPosition(screen, emulator);
          else screen.settle(null);
        }
        const bytes = screen.frame();
        expect(bytes.replaceAll("\u001b", "^")).not.toMatch(/\^\[(?:[23]J|\?1049|\d*;\d*r)/);
        await emulator.write(bytes);
        expect(emulator.visible().filter((row) => row.startsWith("█")).length).toBeGreaterThanOrEqual(1);
      }
      const seen = emulator.rows().join("").replaceAll(shade, "");
      const expected = committed.join("").replaceAll(shade, "");
      // A terminal that cuts takes the ends of lines itself.
      expect(writtenUnsettled).toBe("");
      const pick = (text: string): unknown => (kind === "reflows" ? text : text.match(/<[\d.]+>/g));
      expect(pick(seen)).toEqual(pick(expected));
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 40) },
  );
});

async function answerPosition(screen: Screen, emulator: Emulator): Promise<void> {
  await emulator.write(control.askPosition);
  const answer = createKeyParser().feed(encoder.encode(emulator.answers()))[0];
  screen.settle(answer?.type === "reply.position" ? answer : null);
}

test.each(["reflows", "cuts"] as const)(
  "a narrower window leaves nothing lost and nothing stale in a terminal that %s",
  async (kind) => {
    const emulator = createEmulator(60, 12, kind);
    const screen = createScreen({ columns: 60, rows: 12, painter, reflows: kind === "reflows" });
    const finished = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    screen.commit(finished.map((text) => ({ spans: [{ text }], wrap: "words" })));
    const live = [
      { rows: [[{ text: `tail ${"░".repeat(50)}` }], [{ text: "tail" }]], yields: "oldest" as const },
      { rows: [[{ text: "> here" }], [{ text: "status" }]], yields: "never" as const, cursor: { row: 0, column: 2 } },
    ];
    screen.setLive(live);
    await emulator.write(screen.frame());
    await answerPosition(screen, emulator);
    for (const columns of [30, 20, 45, 60, 25]) {
      emulator.resize(columns, 12);
      screen.resize({ columns, rows: 12 });
      await answerPosition(screen, emulator);
      await emulator.write(screen.frame());
      const rows = emulator.rows().filter((row) => row !== "");
      expect(rows.slice(0, 30)).toEqual(finished);
      expect(rows.slice(30).map((row) => row.slice(0, 6))).toEqual(["tail ░", "tail", "> here", "status"]);
    }
  },
);

test("the cursor reveals a terminal that rewraps, even if we assumed that it cuts", async () => {
  const emulator = createEmulator(60, 20);
  const screen = createScreen({ columns: 60, rows: 20, painter, reflows: false });
  screen.commit([{ spans: [{ text: "finished" }], wrap: "words" }]);
  screen.setLive([
    { rows: [[{ text: "░".repeat(55) }], [{ text: "> here" }]], yields: "never", cursor: { row: 1, column: 2 } },
  ]);
  await emulator.write(screen.frame());
  await answerPosition(screen, emulator);
  emulator.resize(20, 20);
  screen.resize({ columns: 20, rows: 20 });
  await answerPosition(screen, emulator);
  await emulator.write(screen.frame());
  const rows = emulator.rows().filter((row) => row !== "");
  expect(rows.map((row) => row.slice(0, 8))).toEqual(["finished", "░░░░░░░░", "> here"]);
});

test("after a narrower window finished lines stay lines of their own", async () => {
  const emulator = createEmulator(60, 12);
  const screen = createScreen({ columns: 60, rows: 12, painter });
  const live = { rows: Array.from({ length: 6 }, () => [{ text: "░".repeat(55) }]), yields: "never" as const };
  screen.setLive([live]);
  await emulator.write(screen.frame());
  emulator.resize(30, 12);
  screen.resize({ columns: 30, rows: 12 });
  await answerPosition(screen, emulator);
  screen.commit(["one", "two", "three"].map((text) => ({ spans: [{ text }], wrap: "words" })));
  screen.setLive([]);
  await emulator.write(screen.frame());
  expect(emulator.lines().filter((line) => !line.startsWith("░") && line !== "")).toEqual(["one", "two", "three"]);
});
