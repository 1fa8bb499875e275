import { type Line, readLines } from "@unroll/text";
import fc from "fast-check";
import { expect, test } from "vitest";

const anyLine = fc.string({ unit: fc.constantFrom("a", "ü", "日", "🙂", "\r", "\ufeff"), maxLength: 40 });

/** In pieces of so many bytes. */
async function* toPieces(text: string, length: number): AsyncGenerator<Uint8Array, void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test("lines are the same however a stream is cut, and so is what is too long", async () => {
  const property = fc.asyncProperty(fc.array(anyLine), fc.integer({ min: 1, max: 9 }), async (lines, length) => {
    const text = lines.map((line) => `${line}\n`).join("");
    const expected = lines.map((line): Line => {
      const bytes = new TextEncoder().encode(line).length;
      return bytes > 60 ? { type: "oversized", head: line, tail: line, bytes } : { type: "line", text: line };
    });
    const read: Line[] = [];
    for await (const line of readLines(toPieces(text, length), 60)) read.push(line);
    expect(read).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 200 });
});

test("a line that is too long keeps both ends in whole characters, and reports its beginning before its end", async () => {
  const seen: (string | Line)[] = [];
  const text = `${"ü".repeat(1000)}a${"日".repeat(1000)}`;
  const lines = readLines(toPieces(text, 7), 1500, (head) => seen.push(`begins: ${head.length}`));
  for await (const line of lines) seen.push(line);
  expect(seen).toEqual([
    "begins: 512",
    { type: "oversized", head: "ü".repeat(512), tail: "日".repeat(341), bytes: 5001 },
  ]);
});
