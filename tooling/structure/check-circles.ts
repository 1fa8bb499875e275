import type { Repository } from "./repository.ts";

/** One import, seen from the folder that holds both ends: an arrow between two of its children. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  /** `file:line` of one import that makes it. */
  readonly at: string;
}

/**
 * The children of every folder, each file and each subfolder as one, import each other in one direction only; imports of
 * types count. This holds for files too: two files in a circle are in two children of some folder.
 */
export function checkCircles(repository: Repository): readonly string[] {
  const folders = new Map<string, Map<string, Arrow>>();
  for (const file of repository.list(
    "packages/*/src/**/*.ts",
    "apps/*/src/**/*.ts",
    "{bench,simulation}/src/**/*.ts",
  )) {
    for (const { to, line } of repository.source(file).imports) {
      if (to === file) continue;
      const { folder, ...arrow } = toArrow(file, to, line);
      const arrows = folders.get(folder) ?? new Map<string, Arrow>();
      folders.set(folder, arrows);
      const key = `${arrow.from} ${arrow.to}`;
      if (!arrows.has(key)) arrows.set(key, arrow);
    }
  }
  return [...folders].flatMap(([folder, arrows]) =>
    findCircles([...arrows.values()]).map((circle) => describe(folder, circle)),
  );
}

/** The folder that both files are in, and the two children of it that they are or lie in. */
function toArrow(file: string, to: string, line: number): Arrow & { readonly folder: string } {
  const [left, right] = [file.split("/"), to.split("/")];
  const depth = left.findIndex((part, index) => part !== right[index]);
  const child = (parts: readonly string[]): string => (parts[depth] ?? "") + (parts.length > depth + 1 ? "/" : "");
  return { folder: left.slice(0, depth).join("/"), from: child(left), to: child(right), at: `${file}:${line}` };
}

/** The shortest circle through each arrow that is in one, each circle once. */
function findCircles(arrows: readonly Arrow[]): readonly (readonly Arrow[])[] {
  const circles = new Map<string, readonly Arrow[]>();
  const seen = new Set<Arrow>();
  for (const arrow of arrows) {
    if (seen.has(arrow)) continue;
    const back = shortestWay(arrow.to, arrow.from, arrows);
    if (back === null) continue;
    const circle = [arrow, ...back];
    for (const each of circle) seen.add(each);
    circles.set(
      circle
        .map((each) => each.from)
        .toSorted()
        .join(" "),
      circle,
    );
  }
  return [...circles.values()];
}

function shortestWay(from: string, to: string, arrows: readonly Arrow[]): readonly Arrow[] | null {
  const ways = new Map<string, readonly Arrow[]>([[from, []]]);
  for (const [place, way] of ways) {
    if (place === to) return way;
    for (const arrow of arrows) {
      if (arrow.from === place && !ways.has(arrow.to)) ways.set(arrow.to, [...way, arrow]);
    }
  }
  return null;
}

function describe(folder: string, circle: readonly Arrow[]): string {
  const steps = circle.map(({ from, to, at }) => `    ${from} -> ${to}  (${at})`);
  return [`${folder}: a circle of imports, types included: turn or move one of these`, ...steps].join("\n");
}
