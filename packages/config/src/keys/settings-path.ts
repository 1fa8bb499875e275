/** The path within the table `profiles.NAME`, which has the keys of the document; else the path itself. */
export function toSettingsPath(path: readonly string[]): readonly string[] {
  return path[0] === "profiles" && path.length > 1 ? path.slice(2) : path;
}

/** The part before that: `profiles` and the name, or nothing. */
export function toProfilePath(path: readonly string[]): readonly string[] {
  return path.slice(0, path.length - toSettingsPath(path).length);
}
