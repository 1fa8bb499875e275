import type { ShellWord } from "../shell/shell-word.ts";
import type { DangerContext } from "./danger.ts";

/**
 * Whether a word names something whose loss is a disaster: the root, a folder directly below it, a home, the working
 * folder or one that holds it, a repository's `.git`, or a path that is only known when the command runs. A pattern
 * that takes everything in a folder (`/*`, `./*`) counts as the folder; an expansion counts as empty, its worst case.
 */
export function isVitalPath(word: ShellWord, context: DangerContext): boolean {
  const path = word.withoutExpansions.replace(/(^|\/)(?:[*?.]*\*[*?.]*|\.\[[^\]]*\]\*|\{[*.,]*\})$/, "$1.");
  // A brace in front may make any path.
  if (path === "" || (word.kind !== "static" && path.startsWith("{"))) return true;
  if (/^(?:~[^/]*)?\/*$/.test(path)) return true;
  if (path.startsWith("~/")) return context.home === null || isVitalIn("/", `${context.home}${path.slice(1)}`, context);
  if (path.startsWith("/")) return isVitalIn("/", path, context);
  return context.folders.some((folder) => isVitalIn(folder, path, context));
}

function isVitalIn(folder: string, path: string, context: DangerContext): boolean {
  const segments = resolve(path.startsWith("/") ? "/" : folder, path);
  if (segments.at(-1) === ".git" || segments.length <= 1 || isHome(segments)) return true;
  const protectedFolders = [...context.folders, ...(context.home === null ? [] : [context.home])];
  return protectedFolders.some((candidate) => {
    const inside = resolve("/", candidate);
    return segments.every((segment, index) => inside[index] === segment);
  });
}

function isHome(segments: readonly string[]): boolean {
  return segments.length === 2 && /^(?:home|Users)$/.test(segments[0] ?? "");
}

/** The segments of an absolute path, without `.` and `..`. */
function resolve(folder: string, path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}
