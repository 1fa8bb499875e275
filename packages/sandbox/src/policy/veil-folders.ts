import { basename, dirname, join } from "node:path";
import { type Entry, isInside, kindOf, readLinkIfAny, resolveIfAny } from "@unroll/files";
import { copyFile } from "../files/copy-file.ts";
import { listEntries } from "../files/list-entries.ts";
import { keepAbsent } from "./keep-absent.ts";
import type { PathRule } from "./path-rule.ts";

/** A folder with more entries is not veiled: each may be a mount, which costs a tenth of a ms per command. */
const mostVeiledEntries = 200;
/** Up to this size a copy takes half as long as a mount; each is one more open file. */
const mostCopiedBytes = 16 * 1024;
const mostCopies = 8;

/**
 * A mount over a hidden file ends when a program outside replaces the file, and a file created
 * later has none. So the folder around it is veiled: a command sees its content as it was when the
 * command began, without the hidden names and those names with an ending (`auth.json.tmp`). Folders
 * that commands may write are not veiled: their new files would be lost.
 */
export function veilFolders(hidden: readonly string[], isWritable: (folder: string) => boolean): readonly PathRule[] {
  const folders = [...new Set(hidden.map((path) => dirname(path)))];
  return folders
    .filter((folder) => folder !== "/" && !isWritable(folder))
    .filter((folder) => !hidden.some((path) => isInside(folder, path)))
    .flatMap((folder) => veil(folder, hidden));
}

function veil(folder: string, hidden: readonly string[]): readonly PathRule[] {
  // An empty folder in its place hides whatever is created there later.
  if (kindOf(folder) === "missing") return keepAbsent(folder);
  const entries = listEntries(folder);
  if (resolveIfAny(folder) !== folder || entries === null || entries.length > mostVeiledEntries) return [];
  const kept = entries.length === 0 ? keepAbsent(folder) : [];
  if (kept.length > 0) return kept;
  const names = hidden.filter((path) => dirname(path) === folder).map((path) => basename(path));
  const shown: PathRule[] = [];
  for (const entry of entries) {
    if (names.some((each) => entry.name === each || entry.name.startsWith(`${each}.`))) continue;
    const mayCopy = shown.filter(({ type }) => type === "shown-copy").length < mostCopies;
    shown.push(...show(join(folder, entry.name), entry, mayCopy ? mostCopiedBytes : 0));
  }
  return [{ type: "veiled-folder", path: folder }, ...shown];
}

/** A link is shown as a link: whether its target is hidden depends on the target's own path. */
function show(path: string, { kind }: Entry, mostBytes: number): readonly PathRule[] {
  if (kind === "symlink") {
    const target = readLinkIfAny(path);
    return target === null ? [] : [{ type: "shown-link", path, target }];
  }
  const copy = kind === "folder" || mostBytes === 0 ? null : copyFile(path, mostBytes);
  return [copy === null ? { type: "shown", path } : { type: "shown-copy", path, ...copy }];
}
