import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { kindOf, resolveIfAny, toNative } from "@unroll/files";
import { withFolder } from "../files/with-folder.ts";

/**
 * Renames a file or folder and leaves `replacement` in its place. Returns the new name. A symlink
 * is deleted. The work is done inside the folder that was inspected: if another sandbox replaces
 * that folder by a link, nothing happens elsewhere and the result is null. `path` has no symlink on
 * its way.
 */
export function quarantine(path: string, replacement: string | null): string | null {
  const folder = dirname(path);
  const name = basename(path);
  try {
    return withFolder(folder, (place) => {
      if (resolveIfAny(place) !== folder) return null;
      const newName = kindOf(path) === "symlink" ? null : findFreeName(place, `${name}.quarantined`);
      const old = toNative(join(place, name));
      if (newName === null) unlinkSync(old);
      else renameSync(old, toNative(join(place, newName)));
      if (replacement !== null) writeFileSync(old, toNative(replacement), { flag: "wx" });
      return join(folder, newName ?? name);
    });
  } catch {
    return null;
  }
}

function findFreeName(folder: string, name: string): string {
  let free = name;
  for (let count = 2; kindOf(join(folder, free)) !== "missing"; count += 1) free = `${name}.${count}`;
  return free;
}
