import { isToolOutput, readTexts, type ResponseItem } from "@unroll/protocol";

/** The place of a shown item's text in an item that was sent, so that the file has the text once. */
interface ShownRange {
  /** The text's place in the item. */
  readonly path: readonly string[];
  /** In how many-th last text of the model's and of outputs, from 0. */
  readonly back: number;
  /** The length of that text in UTF-16 units, to detect another text in its place. */
  readonly size: number;
  readonly start: number;
  readonly length: number;
}

/** An item or event as it was shown, without the texts that the file has elsewhere. */
export interface Packed<Shown> {
  readonly shown: Shown;
  readonly ranges: readonly ShownRange[];
}

/** The last texts that the model wrote and was given. */
export interface SentTexts {
  read(item: ResponseItem): void;
  pack<Shown>(shown: Shown): Packed<Shown>;
  /** Null: a text is not where its range says. */
  unpack(packed: Packed<unknown>): unknown;
}

/** Shorter texts are kept as they are. In UTF-16 units. */
const fewest = 64;
/** More calls than one answer usually has. */
const mostTexts = 32;

export function createSentTexts(): SentTexts {
  const texts: string[] = [];

  function find(text: string, path: readonly string[]): ShownRange | null {
    if (text.length < fewest) return null;
    for (const [back, sent] of texts.entries()) {
      const start = sent.indexOf(text);
      if (start >= 0) return { path, back, size: sent.length, start, length: text.length };
    }
    return null;
  }

  return {
    read(item) {
      const text = readText(item);
      if (text === null) return;
      texts.unshift(text);
      texts.length = Math.min(texts.length, mostTexts);
    },
    pack(shown) {
      const ranges: ShownRange[] = [];
      const packed = mapTexts(shown, [], (text, path) => {
        const range = find(text, path);
        if (range !== null) ranges.push(range);
        return range === null ? text : "";
      });
      return { shown: packed, ranges };
    },
    unpack({ shown, ranges }) {
      if (ranges.some(({ back, size }) => texts[back]?.length !== size)) return null;
      const places = new Map(ranges.map((range) => [JSON.stringify(range.path), range]));
      return mapTexts(shown, [], (text, path) => {
        const range = text === "" ? places.get(JSON.stringify(path)) : undefined;
        return range === undefined ? text : (texts[range.back] ?? "").slice(range.start, range.start + range.length);
      });
    },
  };
}

/** Null: nothing of it is shown. */
function readText(item: ResponseItem): string | null {
  if (isToolOutput(item)) {
    const { output } = item;
    return typeof output === "string" ? output : readTexts(output).join("\n");
  }
  if (item.type === "reasoning") {
    const parts = item.summary.length > 0 ? item.summary : (item.content ?? []);
    return parts.map(({ text }) => text).join("\n\n");
  }
  if (item.type !== "message" || item.role !== "assistant") return null;
  return readTexts(item.content).join("");
}

type MapText = (text: string, path: readonly string[]) => string;

function mapTexts<Value>(value: Value, path: readonly string[], map: MapText): Value;
function mapTexts(value: unknown, path: readonly string[], map: MapText): unknown {
  if (typeof value === "string") return map(value, path);
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.map((each, index) => mapTexts(each, [...path, String(index)], map));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, [...path, key], map)]));
}
