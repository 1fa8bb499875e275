import { closeSync, constants, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { kindOf, resolveIfAny } from "../files/path-facts.ts";

/**
 * Puts a file or folder aside under another name, which it returns, and leaves `replacement` in its place. A symlink goes
 * altogether. It works inside the folder that was looked at: one that another sandbox swaps for a link meanwhile does not
 * lead it elsewhere, and then it returns nothing. `path` has no symlink on its way.
 */
export function quarantine(path: string, replacement: string | undefined): string | undefined {
  const folder = dirname(path);
  const name = basename(path);
  try {
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const place = kindOf("/proc/self/fd") === "folder" ? `/proc/self/fd/${fd}` : folder;
      if (resolveIfAny(place) !== folder) return undefined;
      const newName = kindOf(path) === "symlink" ? undefined : findFreeName(place, `${name}.quarantined`);
      if (newName === undefined) unlinkSync(join(place, name));
      else renameSync(join(place, name), join(place, newName));
      if (replacement !== undefined) writeFileSync(join(place, name), replacement, { flag: "wx" });
      return join(folder, newName ?? name);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function findFreeName(folder: string, name: string): string {
  let free = name;
  for (let count = 2; kindOf(join(folder, free)) !== "missing"; count += 1) free = `${name}.${count}`;
  return free;
}
