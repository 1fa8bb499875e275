import { mkdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type FollowedPath, followLinks, isInside, kindOf } from "@unroll/files";
import type { WritableRoot } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { identityOf } from "../files/path-facts.ts";

/** A folder that commands may write. `named`: by config or a flag; `own-temporary`: `$TMPDIR`. */
export interface NamedRoot {
  readonly type: "working" | "named" | "shared-temporary" | "own-temporary";
  /** Absolute; a relative path is ignored. */
  readonly path: string;
}

export interface ResolvedRoots {
  readonly roots: readonly WritableRoot[];
  readonly warnings: readonly string[];
}

interface FollowedRoot extends NamedRoot, FollowedPath {}

/** `harnessPaths` and the folders in them are never writable. */
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

/** Creates the folder if it is missing and its parent exists. */
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
    ...(isMissing && { warning: `${labels[type]} ${path} did not exist, so unroll created it.` }),
  };
}

function makeRoot({ type, realPath }: FollowedRoot): string | null {
  if (type === "working" || type === "shared-temporary") return "does not exist";
  try {
    mkdirSync(realPath, type === "own-temporary" ? { mode: 0o700 } : {});
    return null;
  } catch (error) {
    return `does not exist and cannot be created (${describeThrown(error)})`;
  }
}

function findObstacle({ realPath }: FollowedRoot, harnessPaths: readonly string[]): string | null {
  const owner = harnessPaths.find((path) => isInside(realPath, path));
  return owner === undefined ? null : `is in ${owner}, which belongs to unroll itself`;
}

/**
 * A link that a command of one thread creates would be followed by the next thread. The working
 * folder is different: you choose it each time.
 */
function findLooseLink({ type, links }: FollowedRoot, all: readonly FollowedRoot[]): string | null {
  if (type === "working") return null;
  const loose = links.find((link) => all.some(({ realPath }) => isInside(link, realPath)));
  return loose === undefined ? null : `goes through the link ${loose}, which commands could replace`;
}

/** A temporary folder inside another root needs no entry of its own. */
function withoutDoubles(roots: readonly WritableRoot[]): readonly WritableRoot[] {
  const unique = roots.filter((root, index) => roots.findIndex(({ path }) => path === root.path) === index);
  return unique.filter(
    ({ path, kind }) => kind === "work" || !unique.some((other) => other.path !== path && isInside(path, other.path)),
  );
}
