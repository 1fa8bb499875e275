import { dirname, isAbsolute, join } from "node:path";
import { parseGitConfig, readTextIfAny, untilNul } from "@unroll/files";
import { followLinks } from "../files/follow-links.ts";
import { readWorkTree } from "./git-folder.ts";

/** More files than anybody includes; who names more does it to choke us. */
const mostFiles = 100;

/**
 * Files and folders that a git in this repository (null: in any) obeys because a configuration names them, that of the user
 * and of the machine too: included files, those that they include, and folders of hooks. They need not exist. `home` is where
 * `~` leads, and its own configuration files count as well; null when unknown.
 */
export function findNamedPlaces(gitFolder: string | null, home: string | null): readonly string[] {
  const ofUser = home === null ? [] : [join(home, ".gitconfig"), join(home, ".config/git/config")];
  const own = gitFolder === null ? [] : ["config", "config.worktree"].map((name) => join(gitFolder, name));
  const workTree = gitFolder === null ? null : (readWorkTree(gitFolder) ?? dirname(gitFolder));
  const files = [...ofUser, "/etc/gitconfig", ...own].map(placeOf);
  const hooks: string[] = [];
  for (let index = 0; index < files.length && files.length < mostFiles; index += 1) {
    const file = files[index] ?? "";
    for (const { key, value } of parseGitConfig(readTextIfAny(file) ?? "") ?? []) {
      const isHooks = key === "core.hookspath";
      if (!isHooks && !/^include(if\.[^]*)?\.path$/.test(key)) continue;
      const base = isHooks ? workTree : dirname(file);
      // In each repository another one.
      if (base === null && !/^[/~]/.test(value ?? "")) continue;
      const place = placeOf(expand(value ?? "", base ?? "/", home));
      if (isHooks) hooks.push(place);
      else if (!files.includes(place)) files.push(place);
    }
  }
  const ownFiles = new Set(own.map(placeOf));
  const named = [...files.filter((file) => !ownFiles.has(file)), ...hooks];
  // a file of settings may be a link into a folder that is worked in: the link and what it leads to are obeyed
  return [...new Set(named.flatMap((place) => [place, followLinks(place).realPath]))];
}

function expand(value: string, base: string, home: string | null): string {
  const path = untilNul(value).replace(/^~(?=\/|$)/, home ?? "~");
  return isAbsolute(path) ? path : `${base}/${path}`;
}

/** With the links on the way followed, as far as there is something; itself it may be a link. */
function placeOf(path: string): string {
  const [, folder = "", name = ""] = /^(.*)\/([^/]+)\/*$/s.exec(path) ?? [];
  return name === "" || /^\.{1,2}$/.test(name) ? followLinks(path).realPath : join(followLinks(folder).realPath, name);
}
