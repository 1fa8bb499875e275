/** A path below the home directory by `~`; any other as it is. */
export function shortenHome(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
