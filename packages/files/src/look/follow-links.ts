import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { readLinkIfAny } from "./path-facts.ts";

/** A path with its links followed. */
export interface FollowedPath {
  /** Every link is followed, as far as the path exists; the rest stays as written. */
  readonly realPath: string;
  /** The links on the way, in the order in which they were met. */
  readonly links: readonly string[];
  /** Each path that was looked up on the way. */
  readonly places: readonly string[];
}

/** The kernel's own limit (path_resolution(7)). */
const mostLinks = 40;

/** `path` is absolute. */
export function followLinks(path: string): FollowedPath {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const links: string[] = [];
  const places: string[] = [];
  let place = root;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = name === ".." ? dirname(place) : join(place, name);
    places.push(next);
    const target = name === "" || name === ".." || links.length === mostLinks ? null : readLinkIfAny(next);
    if (target === null) {
      place = next;
    } else {
      links.push(next);
      names.unshift(...target.split(sep));
      if (isAbsolute(target)) place = root;
    }
  }
  return { realPath: place, links, places };
}
