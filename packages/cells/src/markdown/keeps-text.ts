import type { StyledLine } from "@unroll/screen";
import { decodeEntities } from "./parse-markdown.ts";

/** Whether each letter and digit of the source is in the lines, as often. Marks of Markdown may go, words never. */
export function keepsText(source: string, lines: readonly StyledLine[]): boolean {
  const counts = new Map<string, number>();
  for (const { spans } of lines) for (const { text } of spans) add(counts, text, 1);
  add(counts, withoutMarks(source), -1);
  for (const count of counts.values()) if (count < 0) return false;
  return true;
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

function add(counts: Map<string, number>, text: string, by: 1 | -1): void {
  for (const [character] of text.matchAll(/[\p{L}\p{N}]/gu)) counts.set(character, (counts.get(character) ?? 0) + by);
}
