import { countBytes, takeStart } from "@unroll/text";

/** Text that was kept within a size. */
interface CutText {
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

/** Joins as many whole lines as fit into `maxBytes` bytes, and counts the rest in a last line over that. */
export function listLines(lines: readonly string[], maxBytes: number): string {
  let room = maxBytes;
  const end = lines.findIndex((line) => {
    room -= countBytes(line) + 1;
    return room < 0;
  });
  if (end < 0) return lines.join("\n");
  return [...lines.slice(0, end), `[${lines.length - end} more are not listed here.]`].join("\n");
}

/** Bytes of a path that are shown; longer than Linux takes one. */
const pathMaxBytes = 4096;

/** A path as the model sees it, always on one line: one with control characters is shown as a JSON string. */
export function showPath(path: string): string {
  const shown = takeStart(path, pathMaxBytes);
  return /\p{Cc}/u.test(shown) ? takeStart(JSON.stringify(shown), pathMaxBytes) : shown;
}

/** Bytes of one list of paths. */
const maxListBytes = 8 * 1024;

/** Each path once, on a line of its own. */
export function listPaths(paths: readonly string[]): string {
  return listLines(
    [...new Set(paths)].map((path) => `- ${showPath(path)}`),
    maxListBytes,
  );
}
