import type { StyledLine } from "@unroll/screen";
import { decodeEntities } from "./parse-markdown.ts";

/** Whether each letter and digit of the source is in the lines, as often. Marks of Markdown may go, words never. */
export function keepsText(source: string, lines: readonly StyledLine[]): boolean {
  const counts: Counts = { ascii: new Int32Array(128), others: new Map() };
  for (const { spans } of lines) for (const { text } of spans) add(counts, text, 1);
  add(counts, withoutMarks(source), -1);
  return counts.ascii.every((count) => count >= 0) && [...counts.others.values()].every((count) => count >= 0);
}

/** By UTF-16 unit; nearly all are ASCII. */
interface Counts {
  readonly ascii: Int32Array;
  readonly others: Map<number, number>;
}

/** Words that are marks: of a task, a line break, an entity, the language of a fence, an address that is its own name. */
function withoutMarks(source: string): string {
  const text = source
    .replaceAll(/<br\s*\/?>/gi, "")
    .replaceAll(/\[([^[\]\s]+)\]\(\1\)/g, "$1")
    .replaceAll(/^(\s*(?:[-*+]|\d+[.)])\s+)\[x\]/gim, "$1")
    .replaceAll(/^([\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(?:`{3,}|~{3,}))\S*$/gm, "$1");
  return decodeEntities(text);
}

function add({ ascii, others }: Counts, text: string, by: 1 | -1): void {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 128) others.set(unit, (others.get(unit) ?? 0) + by);
    else if (isAlphanumeric(unit)) ascii[unit] = (ascii[unit] ?? 0) + by;
  }
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
