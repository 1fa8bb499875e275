import { existsSync } from "node:fs";
import { shortenText } from "@unroll/text";
import { ConfigError, type Origin } from "../config-error.ts";

const key = "sandbox.deny_read";

/**
 * Refuses patterns among the hidden paths: they would hide nothing. `paths` are absolute. A path with `*`, `?` or
 * `[` counts only if a file or folder has that name. Throws `ConfigError` (`value_invalid`).
 */
export function checkHiddenPaths(paths: readonly string[], origin?: Origin): void {
  const pattern = paths.find(isPattern);
  if (pattern === undefined) return;
  const shown = shortenText(pattern, 200);
  const message = `${key} takes paths, not patterns, and ${shown} does not exist: name each file, or the folder around it.`;
  throw new ConfigError({ code: "value_invalid", message, key, origin });
}

/** Up to the last name with such a character, so that a missing file in an existing folder `[id]` counts as a path. */
export function isPattern(path: string): boolean {
  const [named] = /^.*[*?[][^/]*/s.exec(path) ?? [];
  return named !== undefined && !existsSync(named);
}
