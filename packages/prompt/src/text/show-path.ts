import { takeUtf8 } from "./utf8.ts";

/** Bytes of a path that are shown; longer than Linux takes one. */
const PATH_MAX_BYTES = 4096;

/** A path as the model sees it, always on one line: one with control characters is shown as a JSON string. */
export function showPath(path: string): string {
  const shown = takeUtf8(path, PATH_MAX_BYTES);
  return /\p{Cc}/u.test(shown) ? takeUtf8(JSON.stringify(shown), PATH_MAX_BYTES) : shown;
}
