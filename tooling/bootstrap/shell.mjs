import { delimiter } from "node:path";

/** The folders that the toolchain added in front of the PATH that we were started with. */
export function addedFolders(before, after) {
  const known = new Set((before || "").split(delimiter));
  return (after || "").split(delimiter).filter((folder) => folder !== "" && !known.has(folder));
}

/** A line for sh, bash and zsh that puts them first on PATH; for the person's own shell. */
export function exportLine(folders) {
  const quote = (folder) => `'${folder.replace(/'/g, "'\\''")}'`;
  return folders.length === 0
    ? ": # Node.js and pnpm on PATH are the right ones"
    : `export PATH=${folders.map(quote).join(":")}:"$PATH"`;
}
