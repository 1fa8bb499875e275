import { mkdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isInside, kindOf } from "@unroll/files";
import type { WritableRoot } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { followLinks, type FollowedPath } from "../files/follow-links.ts";
import { identityOf } from "../files/path-facts.ts";

/** A folder that commands are to write. `named`: by config or a flag; `own-temporary`: `$TMPDIR`. */
export interface NamedRoot {
  readonly type: "working" | "named" | "shared-temporary" | "own-temporary";
  /** Absolute, or it is passed over. */
  readonly path: string;
}

export interface ResolvedRoots {
  readonly roots: readonly WritableRoot[];
  readonly warnings: readonly string[];
}

interface FollowedRoot extends NamedRoot, FollowedPath {}

/** `harnessPaths` is what is never written, and no folder in it. */
export function resolveRoots(named: readonly NamedRoot[], harnessPaths: readonly string[]): ResolvedRoots {
  const followed = named.filter(({ path }) => isAbsolute(path)).map((root) => ({ ...root, ...followLinks(root.path) }));
  const warnings: string[] = [];
  const roots = followed.flatMap((root) => {
    const obstacle = findObstacle(root, harnessPaths) ?? findLooseLink(root, followed);
    const looked = obstacle === null ? takeRoot(root) : { problem: obstacle };
    if ("warning" in looked) warnings.push(looked.warning);
    if ("root" in looked) return [looked.root];
    if (root.type !== "shared-temporary") {
      warnings.push(`${labels[root.type]} ${root.path} ${looked.problem}: commands cannot write there.`);
    }
    return [];
  });
  return { roots: withoutDoubles(roots), warnings };
}

const labels: Readonly<Record<NamedRoot["type"], string>> = {
  working: "The working folder",
  named: "The writable folder",
  "shared-temporary": "The temporary folder",
  "own-temporary": "The temporary folder",
};

type Taken = { readonly root: WritableRoot; readonly warning?: string } | { readonly problem: string };

/** Makes the folder where it is missing and its parent is there. */
function takeRoot(root: FollowedRoot): Taken {
  const { realPath: path, type } = root;
  const isMissing = kindOf(path) === "missing";
  const failure = isMissing ? makeRoot(root) : null;
  if (failure !== null) return { problem: failure };
  const identity = kindOf(path) === "folder" ? identityOf(path) : null;
  if (identity === null) return { problem: "is not a folder" };
  const kind = type === "working" || type === "named" ? "work" : "temporary";
  return {
    root: { path, kind, identity },
    ...(isMissing && { warning: `${labels[type]} ${path} did not exist, and was made.` }),
  };
}

function makeRoot({ type, realPath }: FollowedRoot): string | null {
  if (type === "working" || type === "shared-temporary") return "does not exist";
  try {
    mkdirSync(realPath, type === "own-temporary" ? { mode: 0o700 } : {});
    return null;
  } catch (error) {
    return `does not exist and cannot be made (${describeThrown(error)})`;
  }
}

function findObstacle({ realPath }: FollowedRoot, harnessPaths: readonly string[]): string | null {
  const owner = harnessPaths.find((path) => isInside(realPath, path));
  return owner === undefined ? null : `lies in ${owner}, which is this program's own`;
}

/** What commands of one thread make of a link, the next thread would follow. Where a thread works, a person says each time. */
function findLooseLink({ type, links }: FollowedRoot, all: readonly FollowedRoot[]): string | null {
  if (type === "working") return null;
  const loose = links.find((link) => all.some(({ realPath }) => isInside(link, realPath)));
  return loose === undefined ? null : `leads through the link ${loose}, which commands could replace`;
}

/** A temporary folder needs no word of its own where another root holds it. */
function withoutDoubles(roots: readonly WritableRoot[]): readonly WritableRoot[] {
  const unique = roots.filter((root, index) => roots.findIndex(({ path }) => path === root.path) === index);
  return unique.filter(
    ({ path, kind }) => kind === "work" || !unique.some((other) => other.path !== path && isInside(path, other.path)),
  );
}
