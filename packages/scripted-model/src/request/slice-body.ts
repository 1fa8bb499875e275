import { type JsonObject, parseJson } from "../json.ts";

/** Bytes from `start` up to, not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A request body with the places of its top-level fields and of the elements of `input`. */
export interface SlicedBody {
  readonly bytes: Buffer;
  /** All but `input`. */
  readonly fields: ReadonlyMap<string, Range>;
  /** The elements of `input`; of an input that is not an array, the whole of it. */
  readonly items: readonly Range[];
  /** Where the last element of an `input` array ends; 0 when there is none. */
  readonly itemsEnd: number;
  /** How many items are those of the previous body, byte for byte, and were not looked at again. */
  readonly resumed: number;
}

/**
 * Slices a body without parsing it. Where `previous` up to the end of its input is a byte prefix of `bytes`, only what
 * follows is read. Throws SyntaxError when the bytes are not a JSON object.
 */
export function sliceBody(bytes: Buffer, previous: SlicedBody | null): SlicedBody {
  const slicer = new BodySlicer(bytes);
  return previous && extendsBody(bytes, previous) ? slicer.resume(previous) : slicer.start();
}

/** The parsed values of all fields but `input`. Throws SyntaxError. */
export function readFields({ bytes, fields }: SlicedBody): JsonObject {
  return Object.fromEntries([...fields].map(([key, range]) => [key, parseJson(sliceText(bytes, range))]));
}

/** The JSON text in a range. */
export function sliceText(bytes: Buffer, { start, end }: Range): string {
  return bytes.toString("utf8", start, end);
}

function extendsBody(bytes: Buffer, { bytes: earlier, itemsEnd }: SlicedBody): boolean {
  if (itemsEnd === 0 || !bytes.subarray(0, itemsEnd).equals(earlier.subarray(0, itemsEnd))) return false;
  const next = String.fromCharCode(bytes[skipSpace(bytes, itemsEnd)] ?? 0);
  return next === "," || next === "]";
}

class BodySlicer {
  readonly #bytes: Buffer;
  readonly #fields = new Map<string, Range>();
  #items: Range[] = [];
  #itemsEnd = 0;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  start(): SlicedBody {
    this.#expect("{");
    this.#field();
    return this.#finish(0);
  }

  resume({ fields, items, itemsEnd }: SlicedBody): SlicedBody {
    for (const [key, range] of fields) if (range.end < itemsEnd) this.#fields.set(key, range);
    this.#items = items.slice();
    this.#at = itemsEnd;
    this.#itemsEnd = itemsEnd;
    while (this.#take(",")) this.#item();
    this.#expect("]");
    return this.#finish(items.length);
  }

  #finish(resumed: number): SlicedBody {
    while (this.#take(",")) this.#field();
    this.#expect("}");
    if (skipSpace(this.#bytes, this.#at) < this.#bytes.length) throw new SyntaxError("More follows the JSON object");
    return { bytes: this.#bytes, fields: this.#fields, items: this.#items, itemsEnd: this.#itemsEnd, resumed };
  }

  #field(): void {
    const key = String(parseJson(sliceText(this.#bytes, this.#value())));
    this.#expect(":");
    if (key !== "input") this.#fields.set(key, this.#value());
    else if (this.#take("[")) this.#array();
    else this.#items.push(this.#value());
  }

  #array(): void {
    if (this.#take("]")) return;
    do this.#item();
    while (this.#take(","));
    this.#expect("]");
  }

  #item(): void {
    this.#items.push(this.#value());
    this.#itemsEnd = this.#at;
  }

  #value(): Range {
    const start = skipSpace(this.#bytes, this.#at);
    this.#at = skipValue(this.#bytes, start);
    return { start, end: this.#at };
  }

  #take(token: string): boolean {
    const at = skipSpace(this.#bytes, this.#at);
    if (this.#bytes[at] !== token.charCodeAt(0)) return false;
    this.#at = at + 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new SyntaxError(`Expected ${token} at byte ${this.#at} of the body`);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const space = new Set([0x20, 0x09, 0x0a, 0x0d]);
const comma = 0x2c;

/** The offset of the first byte at or after `at` that is not white space. */
function skipSpace(bytes: Buffer, at: number): number {
  let end = at;
  while (space.has(bytes[end] ?? 0)) end += 1;
  return end;
}

/**
 * The offset behind the JSON value that starts at `at`. It finds where the value ends; whether it is valid inside is
 * for JSON.parse to say. Throws SyntaxError when the bytes end first.
 */
function skipValue(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first === quote) return skipString(bytes, at);
  const end = opening.has(first) ? skipNested(bytes, at) : skipScalar(bytes, at);
  if (end === at) throw new SyntaxError(`A JSON value is missing at byte ${at}`);
  return end;
}

function skipString(bytes: Buffer, at: number): number {
  let end = bytes.indexOf(quote, at + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  if (end === -1) throw new SyntaxError(`The JSON string at byte ${at} does not end`);
  return end + 1;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let start = at;
  while (bytes[start - 1] === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

function skipNested(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let end = at; end < bytes.length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte === quote) end = skipString(bytes, end) - 1;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte) && --depth === 0) return end + 1;
  }
  throw new SyntaxError(`The JSON value at byte ${at} does not end`);
}

function skipScalar(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && !isScalarEnd(bytes[end] ?? 0)) end += 1;
  return end;
}

function isScalarEnd(byte: number): boolean {
  return byte === comma || closing.has(byte) || space.has(byte);
}
