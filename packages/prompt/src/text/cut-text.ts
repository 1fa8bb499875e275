import { countBytes, takeStart } from "@unroll/text";

/** Text that was kept within a size. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Keeps a text within `maxBytes` bytes of UTF-8. Longer text loses its end, on a character boundary, to a marker that
 * tells the model how much is missing and is within the limit too, which must leave room for it (100 bytes do).
 */
export function cutText(text: string, maxBytes: number): CutText {
  const length = countBytes(text);
  if (length <= maxBytes) return { text, isCut: false };
  const kept = takeStart(text, maxBytes - countBytes(cutMarker(length, length)));
  return { text: kept + cutMarker(countBytes(kept), length), isCut: true };
}

function cutMarker(shown: number, length: number): string {
  return `\n[Cut here: ${shown} of ${length} bytes are shown.]`;
}
