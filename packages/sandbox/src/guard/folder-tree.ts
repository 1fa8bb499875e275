import { dirname } from "node:path";
import type { KnownFolder } from "./known-folder.ts";

/** The folders of a tree, as they were when each was last looked at. */
export interface FolderTree {
  readonly known: ReadonlyMap<string, KnownFolder>;
  /** The folders that git may take for the top of a repository, or for a repository itself. */
  readonly candidates: ReadonlySet<string>;
  readonly keep: (path: string, folder: KnownFolder) => void;
  /** Forgets the folder with everything below it, and returns their paths. */
  readonly drop: (path: string) => readonly string[];
  /** Forgets the subfolders for which `isGone` is true, with everything below them, and returns their paths. */
  readonly dropInside: (path: string, isGone: (inner: string) => boolean) => readonly string[];
}

export function createFolderTree(): FolderTree {
  const known = new Map<string, KnownFolder>();
  const innerOf = new Map<string, Set<string>>();
  const candidates = new Set<string>();

  function keep(path: string, folder: KnownFolder): void {
    const isNew = !known.has(path);
    known.set(path, folder);
    if (folder.isCandidate) candidates.add(path);
    else candidates.delete(path);
    if (!isNew) return;
    const siblings = innerOf.get(dirname(path));
    if (siblings === undefined) innerOf.set(dirname(path), new Set([path]));
    else siblings.add(path);
  }

  function drop(path: string): readonly string[] {
    const gone = [path];
    for (const each of gone) {
      for (const inner of innerOf.get(each) ?? []) gone.push(inner);
      innerOf.delete(each);
      known.delete(each);
      candidates.delete(each);
    }
    innerOf.get(dirname(path))?.delete(path);
    return gone;
  }

  function dropInside(path: string, isGone: (inner: string) => boolean): readonly string[] {
    return [...(innerOf.get(path) ?? [])].filter(isGone).flatMap(drop);
  }

  return { known, candidates, keep, drop, dropInside };
}
