import { isInside } from "@unroll/files";
import type { FileCopy } from "../files/copy-file.ts";

/**
 * The permission for a path and everything below it, unless a rule for a deeper path says
 * otherwise. Paths without a rule may be read. `absent`: it is missing or an empty folder, and must
 * stay so. `veiled-folder`: only the `shown` entries are visible, read-only; a `shown-link` points
 * where it points outside, a `shown-copy` has the file's content. Paths are absolute and resolved.
 */
export type PathRule =
  | {
      readonly type: "writable" | "read-only" | "absent" | "veiled-folder" | "shown" | "hidden-file" | "hidden-folder";
      readonly path: string;
    }
  | {
      readonly type: "shown-link";
      readonly path: string;
      /** As written in the link. */
      readonly target: string;
    }
  | ({ readonly type: "shown-copy"; readonly path: string } & FileCopy);

const strictness = {
  shown: 0,
  "shown-link": 0,
  "shown-copy": 0,
  writable: 1,
  "read-only": 2,
  "veiled-folder": 3,
  absent: 4,
  "hidden-file": 5,
  "hidden-folder": 5,
} as const;

/** Sorts folders before their content. When several rules name one path, the strictest stays. */
export function orderRules(rules: readonly PathRule[]): readonly PathRule[] {
  const strictest = new Map<string, PathRule>();
  for (const rule of rules) {
    const other = strictest.get(rule.path);
    if (other === undefined || strictness[rule.type] > strictness[other.type]) strictest.set(rule.path, rule);
  }
  return [...strictest.values()].toSorted((a, b) => compareDepth(a.path, b.path));
}

/**
 * A folder above a path with a rule can still be renamed, which removes the path from its rule or
 * makes room for another one. So every writable folder between a root and such a path gets its own
 * rule, which holds it in place. `rules` are in the order of `orderRules`.
 */
export function pinAncestors(rules: readonly PathRule[], roots: readonly string[]): readonly PathRule[] {
  const pins = rules
    .flatMap(({ path }) => foldersBetween(path, roots))
    .filter((path) => findRule(path, rules)?.type === "writable")
    .map((path): PathRule => ({ type: "writable", path }));
  return orderRules([...pins, ...rules]);
}

/** The rule for `path`: that of the innermost folder around it. `rules` are in the order of `orderRules`. */
export function findRule(path: string, rules: readonly PathRule[]): PathRule | null {
  return rules.findLast((rule) => isInside(path, rule.path)) ?? null;
}

/** The folders above `path` and below the outermost root around it. */
function foldersBetween(path: string, roots: readonly string[]): readonly string[] {
  const root = roots
    .filter((candidate) => candidate !== path && isInside(path, candidate))
    .toSorted((a, b) => a.length - b.length)[0];
  if (root === undefined) return [];
  const names = path.slice(root.length).split("/").filter(Boolean).slice(0, -1);
  return names.map((_, index) => [root.replace(/\/$/, ""), ...names.slice(0, index + 1)].join("/"));
}

function depthOf(path: string): number {
  let depth = 0;
  for (let index = path.indexOf("/"); index !== -1; index = path.indexOf("/", index + 1)) depth += 1;
  return depth;
}

function compareDepth(a: string, b: string): number {
  return depthOf(a) - depthOf(b) || Number(a > b) - Number(a < b);
}
