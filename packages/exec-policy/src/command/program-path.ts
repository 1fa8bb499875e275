/** Folders that only an administrator writes to: a program there is what its name says. */
const systemFolders: ReadonlySet<string> = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
  "/opt/homebrew/sbin",
  "/run/current-system/sw/bin",
]);

/** The part of a path after its last slash; a name without slash is its own. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether an absolute path names a program in a system folder. */
export function isSystemProgram(path: string): boolean {
  return systemFolders.has(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
}
