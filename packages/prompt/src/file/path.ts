/** Joins a folder and what lies in it. `/` is understood on every platform, also after a Windows folder. */
export function joinPath(folder: string, name: string): string {
  return /[/\\]$/u.test(folder) ? folder + name : `${folder}/${name}`;
}

/** The folder and all folders above it, innermost first. */
export function foldersUpFrom(folder: string): readonly string[] {
  const isWindows = /^(?:[A-Za-z]:|\\)/u.test(folder);
  const parent = folder.replace(isWindows ? /[/\\][^/\\]+[/\\]*$/u : /\/[^/]+\/*$/u, "");
  if (parent === folder) return [folder];
  const isTop = isWindows ? /^[A-Za-z]:$/u.test(parent) : parent === "";
  return isTop ? [folder, `${parent}/`] : [folder, ...foldersUpFrom(parent)];
}
