import type { ShellWord } from "../command/shell-word.ts";
import type { Reach } from "../command/judge-context.ts";
import { resolvePath } from "../command/resolve-path.ts";

/**
 * Whether a word names something whose loss is a disaster: the root, a folder directly below it, a home, the working
 * folder or one that holds it, a repository's `.git`, or a path that is only known when the command runs. A pattern
 * that takes everything in a folder (`/*`, `./*`) counts as the folder; an expansion counts as empty, its worst case.
 * Below an unknown folder (`"$TMPDIR/x"`) only the names of system folders are feared.
 */
export function isVitalPath(word: ShellWord, context: Reach): boolean {
  const path = word.withoutExpansions.replace(/(^|\/)(?:[*?.]*\*[*?.]*|\.\[[^\]]*\]\*|\{[*.,]*\})$/, "$1.");
  // A brace in front may make any path.
  if (path === "" || (word.kind !== "static" && path.startsWith("{"))) return true;
  if (/^(?:~[^/]*)?\/*$/.test(path)) return true;
  if (path.startsWith("~/")) return context.home === null || isVitalIn("/", `${context.home}${path.slice(1)}`, context);
  if (path.startsWith("/") && isBelowUnknown(word) && !mayBeSystemFolder(path)) return isProtected(path, context);
  if (path.startsWith("/")) return isVitalIn("/", path, context);
  return context.folders.some((folder) => isVitalIn(folder, path, context));
}

function isVitalIn(folder: string, path: string, context: Reach): boolean {
  const absolute = path.startsWith("/") ? path : `${folder}/${path}`;
  return resolvePath(absolute).length <= 1 || isProtected(absolute, context);
}

function isProtected(path: string, context: Reach): boolean {
  const segments = resolvePath(path);
  if (segments.at(-1) === ".git" || isHome(segments)) return true;
  const protectedFolders = [...context.folders, ...(context.home === null ? [] : [context.home])];
  return protectedFolders.some((candidate) => {
    const inside = resolvePath(candidate);
    return segments.every((segment, index) => inside[index] === segment);
  });
}

/** `"$x"/…`: the folder in front is only known when the command runs. */
function isBelowUnknown(word: ShellWord): boolean {
  return word.kind !== "static" && word.head === "";
}

function mayBeSystemFolder(path: string): boolean {
  const [first = "", ...rest] = resolvePath(path);
  return rest.length === 0 && (/[*?[{]/.test(first) || systemFolder.test(first));
}

const systemFolder =
  /^(?:bin|boot|dev|etc|home|lib\w*|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Applications|Library|System|Users|Volumes|private)$/;

/** Whether a word names a file or folder that belongs to the system: `/etc/passwd`, `/usr/bin/env`. */
export function isSystemPath(word: ShellWord, context: Reach): boolean {
  const path = word.withoutExpansions;
  const paths = path.startsWith("/") ? [path] : context.folders.map((folder) => `${folder}/${path}`);
  return paths.some((candidate) => {
    const [first = "", second = ""] = resolvePath(candidate);
    if (first === "var") return second !== "tmp" && second !== "folders";
    return /^(?:bin|boot|etc|lib\w*|proc|sbin|sys|usr|Library|System)$/.test(first);
  });
}

function isHome(segments: readonly string[]): boolean {
  return segments.length === 2 && /^(?:home|Users)$/.test(segments[0] ?? "");
}
