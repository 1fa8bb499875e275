import fc from "fast-check";
import { expect, test } from "vitest";
import {
  attachPiece,
  emptyComposer,
  measureRow,
  offerCandidates,
  pasteText,
  pressKey,
  renderComposer,
  toSubmission,
} from "@unroll/screen";

const keys = [
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "alt+left",
  "alt+right",
  "backspace",
  "delete",
  "ctrl+w",
  "ctrl+k",
  "ctrl+u",
  "ctrl+y",
  "alt+y",
  "ctrl+_",
  "alt+_",
  "shift+enter",
  "ctrl+r",
  "escape",
  "enter",
  "tab",
  "ctrl+c",
  "alt+d",
  "pageup",
];
const typed = ["a", " ", "日", "👩‍👩‍👧", "é", "\u0301", "@", "/", "!", "\\"];
const step = fc.oneof(
  fc.constantFrom(...keys).map((name) => ({ type: "key" as const, name, text: null })),
  fc.constantFrom(...typed).map((text) => ({ type: "key" as const, name: text === " " ? "space" : text, text })),
  fc.constantFrom("short", "line\n".repeat(20), "x".repeat(1200)).map((text) => ({ type: "paste" as const, text })),
  fc.constant({ type: "image" as const }),
  fc.constant({ type: "offer" as const }),
);

test("after any keys the caret is in the text and is seen, rows fit, and no piece is lost or half there", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 8, max: 50 }), (steps, columns) => {
      const history = ["older", "two\nlines", "日本"].map((text) => ({ text, images: [] }));
      const context = { columns, maxRows: 4, history };
      let composer = emptyComposer;
      for (const each of steps) {
        if (each.type === "key") composer = pressKey(composer, each, context).composer;
        else if (each.type === "paste") composer = pasteText(composer, each.text);
        else if (each.type === "image") composer = attachPiece(composer, { type: "image", source: "a.png" });
        else
          composer = offerCandidates(composer, { kind: "file", query: "", start: composer.caret - 1 }, [
            { value: "src/" },
          ]);
        const { rows, cursor } = renderComposer(composer, context);
        expect(composer.caret).toBeGreaterThanOrEqual(0);
        expect(composer.caret).toBeLessThanOrEqual(composer.text.length);
        expect(cursor.row).toBeLessThan(rows.length);
        expect(cursor.column).toBeLessThan(columns + 30);
        const textRows = composer.mode.type === "searching" ? [] : rows.slice(0, 4);
        expect(textRows.filter((row) => measureRow(row) > columns)).toEqual([]);
        expect(toSubmission(composer).text.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 60) },
  );
});
