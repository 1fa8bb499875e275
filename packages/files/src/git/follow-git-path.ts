import { isAbsolute } from "node:path";
import { resolveIfAny } from "../look/path-facts.ts";

/**
 * Where git comes to by a path that it read from a file in `folder`: `..` after a link leads out of what the link leads
 * to, and the path ends at the first NUL. With every link followed; null when nothing is there.
 */
export function followGitPath(folder: string, text: string): string | null {
  const path = untilNul(text);
  return resolveIfAny(isAbsolute(path) ? path : `${folder}/${path}`);
}

/** The part of a text that C reads: up to the first NUL. */
export function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}
