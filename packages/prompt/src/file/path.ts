/** Joins a folder and what lies in it. `/` is understood on every platform, also after a Windows folder. */
export function joinPath(folder: string, name: string): string {
  return /[/\\]$/u.test(folder) ? folder + name : `${folder}/${name}`;
}

/** The folders from `root` down to `folder`, outermost first; `folder` alone where there is no root, or one that is not above it. */
export function foldersDownTo(folder: string, root: string | null): readonly [string, ...string[]] {
  const above = foldersUpFrom(folder);
  const depth = root === null ? -1 : above.findIndex((each) => isSame(each, root));
  const [first = folder, ...rest] = above.slice(0, depth + 1).toReversed();
  return [first, ...rest];
}

/** The folder and all folders above it, innermost first. */
function foldersUpFrom(folder: string): readonly string[] {
  const isWindows = /^(?:[A-Za-z]:|\\)/u.test(folder);
  const parent = folder.replace(isWindows ? /[/\\][^/\\]+[/\\]*$/u : /\/[^/]+\/*$/u, "");
  if (parent === folder) return [folder];
  const isTop = isWindows ? /^[A-Za-z]:$/u.test(parent) : parent === "";
  return isTop ? [folder, `${parent}/`] : [folder, ...foldersUpFrom(parent)];
}

/** Ignores the separators that they end in. */
function isSame(folder: string, other: string): boolean {
  return folder.replace(/[/\\]+$/u, "") === other.replace(/[/\\]+$/u, "");
}
