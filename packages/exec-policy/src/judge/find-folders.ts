import type { Reach } from "../command/judge-context.ts";
import type { SimpleCommand } from "../command/simple-command.ts";

/** The folders in which the commands of a script may run: those it starts in, and where it goes by `cd`. */
export function findFolders(commands: readonly SimpleCommand[], reach: Reach): Reach {
  let { folders } = reach;
  for (const { words } of commands) {
    const [program, target] = words;
    if ((program?.text !== "cd" && program?.text !== "pushd") || target === undefined) continue;
    const path = target.withoutExpansions.replace(/^~(?=\/|$)/, reach.home ?? "/");
    const reached = path.startsWith("/") ? [path] : folders.map((folder) => `${folder}/${path}`);
    folders = [...new Set([...folders, ...reached])].slice(0, maximumFolders);
  }
  return { ...reach, folders };
}

/** A script that changes its folder more often is judged by the first ones. */
const maximumFolders = 32;
