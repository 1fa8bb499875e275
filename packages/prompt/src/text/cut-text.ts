import { takeUtf8, utf8Length } from "./utf8.ts";

/** Text that was kept within a size. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Keeps a text within `maxBytes` bytes of UTF-8. Longer text loses its end, on a character boundary, to a marker that
 * tells the model how much is missing; the marker is within the limit too, unless the limit is too small for it: then
 * there is none.
 */
export function cutText(text: string, maxBytes: number): CutText {
  const length = utf8Length(text);
  if (length <= maxBytes) return { text, isCut: false };
  const room = maxBytes - utf8Length(cutMarker(length, length));
  if (room < 0) return { text: takeUtf8(text, maxBytes), isCut: true };
  const kept = takeUtf8(text, room);
  return { text: kept + cutMarker(utf8Length(kept), length), isCut: true };
}

function cutMarker(shown: number, length: number): string {
  return `\n[Cut here: ${shown} of ${length} bytes are shown.]`;
}
