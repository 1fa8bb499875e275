import { takeStart } from "@unroll/text";

/** Bytes of a path that are shown; longer than Linux takes one. */
const pathMaxBytes = 4096;

/** A path as the model sees it, always on one line: one with control characters is shown as a JSON string. */
export function showPath(path: string): string {
  const shown = takeStart(path, pathMaxBytes);
  return /\p{Cc}/u.test(shown) ? takeStart(JSON.stringify(shown), pathMaxBytes) : shown;
}
