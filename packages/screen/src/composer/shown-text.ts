import { pluralize } from "@unroll/text";
import type { Pieces } from "./piece.ts";
import { imageLabel, isStandIn } from "./piece.ts";

/** A draft as it is shown, with labels instead of pieces. */
export interface ShownText {
  readonly text: string;
  /** Where labels stand, in offsets of the shown text, in order; each is one character of the draft. */
  readonly labels: ReadonlyArray<{ readonly start: number; readonly end: number }>;
}

export function showText(text: string, pieces: Pieces): ShownText {
  if (pieces.size === 0) return { text, labels: [] };
  const labels: { start: number; end: number }[] = [];
  let [shown, images] = ["", 0];
  for (const character of text) {
    const piece = isStandIn(character) ? pieces.get(character) : undefined;
    if (piece === undefined) {
      shown += character;
      continue;
    }
    const start = shown.length;
    if (piece.type === "image") images += 1;
    shown += piece.type === "image" ? imageLabel(images) : pasteLabel(piece.text);
    labels.push({ start, end: shown.length });
  }
  return { text: shown, labels };
}

/** The offset in the shown text of one in the draft. */
export function toShownOffset(shown: ShownText, offset: number): number {
  let at = offset;
  for (const { start, end } of shown.labels) if (start < at) at += end - start - 1;
  return at;
}

/** The offset in the draft of one in the shown text: within a label, its start. */
export function toDraftOffset(shown: ShownText, offset: number): number {
  let saved = 0;
  for (const { start, end } of shown.labels) {
    if (offset <= start) break;
    if (offset < end) return start - saved;
    saved += end - start - 1;
  }
  return offset - saved;
}

/** The end of the last line begins no other one. */
function pasteLabel(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n").length;
  return lines === 1 ? `[pasted ${pluralize(text.length, "character")}]` : `[pasted ${pluralize(lines, "line")}]`;
}
