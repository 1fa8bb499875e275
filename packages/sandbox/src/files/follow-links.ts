import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { readLinkIfAny } from "./path-facts.ts";

/** Where a path leads. */
export interface FollowedPath {
  /** With every link followed, as far as there is something; the rest is as it was written. */
  readonly realPath: string;
  /** The places of the links on the way, in the order in which they were met. */
  readonly links: readonly string[];
}

/** As many as the kernel follows (path_resolution(7)). */
const mostLinks = 40;

/** `path` is absolute. */
export function followLinks(path: string): FollowedPath {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const links: string[] = [];
  let place = root;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = name === ".." ? dirname(place) : join(place, name);
    const target = name === "" || name === ".." || links.length === mostLinks ? null : readLinkIfAny(next);
    if (target === null) {
      place = next;
    } else {
      links.push(next);
      names.unshift(...target.split(sep));
      if (isAbsolute(target)) place = root;
    }
  }
  return { realPath: place, links };
}
