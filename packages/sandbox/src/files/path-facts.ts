import { lstatSync, readFileSync, readdirSync, readlinkSync, realpathSync, type Dirent } from "node:fs";

export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

/** What is at `path` itself; a symlink is not followed. What cannot be looked at counts as missing. */
export function kindOf(path: string): PathKind {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "missing";
    if (stats.isDirectory()) return "folder";
    if (stats.isSymbolicLink()) return "symlink";
    return stats.isFile() ? "file" : "other";
  } catch {
    return "missing";
  }
}

/** Nothing when it cannot be read. */
export function readTextIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** What is in a folder; nothing when it cannot be listed. */
export function listEntries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The names in a folder; none when it cannot be listed. */
export function listNames(path: string): readonly string[] {
  return listEntries(path).map(({ name }) => name);
}

/** Where a symlink leads, as it is written; nothing when it is none. */
export function readLinkIfAny(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** With every symlink on the way resolved; nothing when it does not exist. */
export function resolveIfAny(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
