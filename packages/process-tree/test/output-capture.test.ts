import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputCapture } from "../src/output/output-capture.ts";

function capture(maxBytes: number, pieces: readonly Uint8Array[]) {
  const output = createOutputCapture(maxBytes);
  for (const piece of pieces) output.write(piece);
  return output.read();
}

const pieces = fc.array(
  fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
  { maxLength: 12 },
);

describe("what is kept of an output", () => {
  it("is all of it while it fits", () => {
    fc.assert(
      fc.property(pieces, (all) => {
        const whole = Buffer.concat(all);
        expect(capture(whole.length, all)).toMatchObject({
          text: whole.toString(),
          totalBytes: whole.length,
          omittedBytes: 0,
          omittedLines: 0,
        });
      }),
    );
  });

  it("is its head and its tail when it does not fit, never more than the limit, never half a character", () => {
    fc.assert(
      fc.property(pieces, fc.nat(60), (all, limit) => {
        const whole = Buffer.concat(all);
        const kept = capture(limit, all);
        fc.pre(kept.omittedBytes > 0);
        const [head = "", tail = ""] = kept.text.split(`\n[... ${kept.omittedBytes} bytes left out ...]\n`);
        expect(whole.toString().startsWith(head)).toBe(true);
        expect(whole.toString().endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head + tail)).toBe(whole.length - kept.omittedBytes);
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(limit);
        const omitted = whole.toString().slice(head.length, whole.toString().length - tail.length);
        expect(kept.omittedLines).toBe(omitted.split("\n").length - 1);
      }),
    );
  });

  it("does not depend on how the output was cut into pieces", () => {
    fc.assert(
      fc.property(pieces, fc.nat(60), (all, limit) => {
        expect(capture(limit, all)).toEqual(capture(limit, [Buffer.concat(all)]));
      }),
    );
  });

  it("counts lines, the last one also without its newline", () => {
    expect(capture(100, []).totalLines).toBe(0);
    expect(capture(100, [Buffer.from("a\nb\n")]).totalLines).toBe(2);
    expect(capture(100, [Buffer.from("a\nb")]).totalLines).toBe(2);
    expect(capture(1, [Buffer.from("a\n\n\nb")]).totalLines).toBe(4);
  });
});
