import { dirname, isAbsolute, join } from "node:path";
import { followLinks, parseGitConfig, type PathMemory, readTextIfAny, untilNul } from "@unroll/files";
import { readWorkTree } from "./git-folder.ts";

/** More files than any real configuration includes. A longer list is an attempt to slow us down. */
const mostFiles = 100;

/**
 * Files and folders that git obeys in this repository (null: in any) because a configuration names
 * them. The configurations of the user and the machine count too. These are included files, the
 * files that they include, and folders of hooks; they need not exist. `home` is the target of `~`,
 * and its own git configuration counts as well; null: unknown. `paths` remembers the configurations outside of the repository.
 */
export function findNamedPlaces(
  gitFolder: string | null,
  { home, paths }: { readonly home: string | null; readonly paths: Pick<PathMemory, "look"> },
): readonly string[] {
  const ofUser = home === null ? [] : [join(home, ".gitconfig"), join(home, ".config/git/config")];
  const own = gitFolder === null ? [] : ["config", "config.worktree"].map((name) => join(gitFolder, name));
  const workTree = gitFolder === null ? null : (readWorkTree(gitFolder) ?? dirname(gitFolder));
  const ownFiles = new Set(own.map(placeOf));
  const files = [...paths.look(() => [...ofUser, "/etc/gitconfig"].map(placeOf)), ...ownFiles];
  const hooks: string[] = [];
  const read = (file: string): void => {
    for (const { key, value } of parseGitConfig(readTextIfAny(file) ?? "") ?? []) {
      const isHooks = key === "core.hookspath";
      if (!isHooks && !/^include(if\.[^]*)?\.path$/.test(key)) continue;
      const base = isHooks ? workTree : dirname(file);
      // A relative path means another place in each repository.
      if (base === null && !/^[/~]/.test(value ?? "")) continue;
      const place = placeOf(expand(value ?? "", base ?? "/", home));
      if (isHooks) hooks.push(place);
      else if (!files.includes(place)) files.push(place);
    }
  };
  for (let index = 0; index < files.length && files.length < mostFiles; index += 1) {
    const file = files[index] ?? "";
    if (ownFiles.has(file)) read(file);
    else paths.look(() => read(file));
  }
  const named = [...files.filter((file) => !ownFiles.has(file)), ...hooks];
  // A settings file may be a link into a working folder. Git obeys both the link and its target.
  return paths.look(() => [...new Set(named.flatMap((place) => [place, followLinks(place).realPath]))]);
}

function expand(value: string, base: string, home: string | null): string {
  const path = untilNul(value).replace(/^~(?=\/|$)/, home ?? "~");
  return isAbsolute(path) ? path : `${base}/${path}`;
}

/** Follows the links on the way, as far as the path exists; the last part may itself be a link. */
function placeOf(path: string): string {
  const [, folder = "", name = ""] = /^(.*)\/([^/]+)\/*$/s.exec(path) ?? [];
  return name === "" || /^\.{1,2}$/.test(name) ? followLinks(path).realPath : join(followLinks(folder).realPath, name);
}
