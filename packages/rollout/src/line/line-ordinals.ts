import type { FileLine } from "../file/read-lines.ts";

/**
 * Takes the lines of a file in their order. Codex CLI 0.169 numbers every record of a thread that it starts, and refuses to resume one
 * whose last record has no ordinal. It does not count lines of type `unroll`, so those have none.
 */
export interface OrdinalReader {
  /** One more than the highest so far; null: the lines of this file have none. */
  readonly next: number | null;
  read(line: FileLine): void;
}

/** A file has ordinals when its first line has one. Lines of unroll 0.1 and Codex CLI 0.92 in such a file have none. */
export function createOrdinalReader(): OrdinalReader {
  let next: number | null = null;
  return {
    get next() {
      return next;
    },
    read({ bytes, number, isWhole }) {
      if (!isWhole || (number > 1 && next === null)) return;
      const ordinal = readOrdinal(bytes);
      if (ordinal !== null) next = Math.max(next ?? 0, ordinal + 1);
    },
  };
}

/** The Codex CLI writes the ordinal before the type; we write it after. */
const opening = /^\{"timestamp":"[^"]*",(?:"type":"[a-z_]+",)?"ordinal":(\d+),/;
const longestOpening = 128;

/** Null: the line has none. Costs the same however long the line is. */
export function readOrdinal(line: Uint8Array): number | null {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, longestOpening)).toString("latin1");
  const [, ordinal] = opening.exec(start) ?? [];
  return ordinal === undefined ? null : Number(ordinal);
}
