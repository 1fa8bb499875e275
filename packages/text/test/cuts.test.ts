import {
  countBytes,
  countWholeBytes,
  findBoundaryAfter,
  findBoundaryBefore,
  shortenText,
  sliceWhole,
  takeEnd,
  takeStart,
} from "@unroll/text";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Of 1 to 4 bytes, joined ones, and halves of pairs. */
const anyText = fc.string({
  unit: fc.constantFrom("a", "\n", "ü", "日", "🙂", "e\u0301", "\ud83d", "\ude42", "\ufeff"),
  maxLength: 40,
});
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const countCharacters = (text: string): number => Array.from(text).length;

test("a cut start or end fits, holds whole characters, and one more would not fit", () => {
  const property = fc.property(anyText, fc.integer({ min: -1, max: 100 }), (text, maxBytes) => {
    const characters = Array.from(text);
    const [start, end] = [takeStart(text, maxBytes), takeEnd(text, maxBytes)];
    const [fromStart, fromEnd] = [countCharacters(start), countCharacters(end)];
    expect(start).toBe(characters.slice(0, fromStart).join(""));
    expect(end).toBe(characters.slice(characters.length - fromEnd).join(""));
    for (const kept of [start, end]) expect(countBytes(kept)).toBeLessThanOrEqual(Math.max(maxBytes, 0));
    if (start === text) return;
    expect(countBytes(characters.slice(0, fromStart + 1).join(""))).toBeGreaterThan(maxBytes);
    expect(countBytes(characters.slice(-fromEnd - 1).join(""))).toBeGreaterThan(maxBytes);
  });
  fc.assert(property, { numRuns: 500 });
});

test("bytes that are cut at a boundary are text on both sides, as near to the place as can be", () => {
  const property = fc.property(anyText, fc.nat(100), (text, place) => {
    const bytes = encode(text);
    const at = Math.min(place, bytes.length);
    for (const boundary of [findBoundaryBefore(bytes, at), findBoundaryAfter(bytes, at)]) {
      expect(decode(bytes.subarray(0, boundary)) + decode(bytes.subarray(boundary))).toBe(text.toWellFormed());
      expect(Math.abs(boundary - at)).toBeLessThan(4);
    }
    expect(findBoundaryBefore(bytes, at)).toBeLessThanOrEqual(at);
    expect(findBoundaryAfter(bytes, at)).toBeGreaterThanOrEqual(at);
  });
  fc.assert(property, { numRuns: 500 });
});

test("pieces of a stream that end where it can be decoded make the text again", () => {
  const property = fc.property(anyText, fc.integer({ min: 1, max: 7 }), (text, size) => {
    const bytes = encode(text);
    let carry = new Uint8Array();
    let read = "";
    for (let at = 0; at < bytes.length; at += size) {
      const piece = Uint8Array.from([...carry, ...bytes.subarray(at, at + size)]);
      const length = countWholeBytes(piece);
      read += decode(piece.subarray(0, length));
      carry = piece.slice(length);
    }
    expect({ read, carry: carry.length }).toEqual({ read: text.toWellFormed(), carry: 0 });
  });
  fc.assert(property, { numRuns: 300 });
});

test("bytes that are not UTF-8 are cut at the given place", () => {
  const bytes = new Uint8Array(20).fill(0x80);
  expect([findBoundaryBefore(bytes, 10), findBoundaryAfter(bytes, 10), countWholeBytes(bytes)]).toEqual([10, 10, 20]);
});

test("a piece is what slice gives, less the half of a pair at either cut", () => {
  expect(sliceWhole("a🙂b🙂c", 2, 5)).toBe("b");
  const property = fc.property(fc.string({ unit: anyCharacter }), fc.nat(20), fc.nat(20), (text, start, length) => {
    const piece = sliceWhole(text, start, start + length);
    const plain = text.slice(start, start + length);
    expect(piece).toBe(
      plain.isWellFormed() ? plain : plain.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, ""),
    );
  });
  fc.assert(property);
});

test("a shortened text without its dots never exceeds the limit, and stays well-formed", () => {
  expect(["abcd", "abcde", "abc🙂"].map((text) => shortenText(text, 4))).toEqual(["abcd", "abcd…", "abc…"]);
  const property = fc.property(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.nat(20), (text, maxLength) => {
    const shown = shortenText(text, maxLength);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown === text || (shown.endsWith("…") && shown.length <= maxLength + 1)).toBe(true);
  });
  fc.assert(property);
});
