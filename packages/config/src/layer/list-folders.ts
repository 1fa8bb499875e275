import { dirname } from "node:path";

/** The folders from `root` down to `cwd`, both included. `cwd` is `root` or below it. */
export function listFolders(root: string, cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(dirname(folder));
  return folders;
}
