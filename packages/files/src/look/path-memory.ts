import { followLinks } from "./follow-links.ts";
import { isInside } from "./is-inside.ts";
import { createKnownFacts, statIfAny, withFacts, withKnownPaths } from "./path-facts.ts";

/**
 * Facts about paths that stay known from one piece of work to the next, as long as no command in a sandbox could make them untrue. Its
 * user says where commands may write, and when anything may have changed.
 */
export interface PathMemory {
  /** Runs `work` as `withKnownPaths` does. Facts about a path stay known afterwards if `keeps` is true for it. */
  look<Result>(work: () => Result): Result;
  /** Whether nobody can change the path, nor where it leads. */
  keeps(path: string): boolean;
  /** From now on, somebody may write in these folders. */
  except(folders: readonly string[]): void;
  /** Everything is asked again. */
  forget(): void;
  /** Until the result is disposed, anybody may change anything, so that nothing stays known. */
  suspend(): Disposable;
}

/** At first every path is kept: name the folders that somebody may write before you look. */
export function createPathMemory(): PathMemory {
  const excepted = new Set<string>();
  let facts = createKnownFacts();
  let verdicts = new Map<string, boolean>();
  let suspensions = 0;

  function forget(): void {
    facts = createKnownFacts();
    verdicts = new Map();
  }

  function isOpen(path: string): boolean {
    for (const folder of excepted) if (isInside(path, folder)) return true;
    return false;
  }

  function judge(path: string): boolean {
    if (isOpen(path)) return false;
    const { realPath, places } = followLinks(path);
    if (places.some(isOpen)) return false;
    // A file with a second name may be written by that one.
    const stats = statIfAny(realPath);
    const isKept = stats === null || stats.isDirectory() || stats.nlink === 1;
    if (isKept) for (const place of places) verdicts.set(place, true);
    return isKept;
  }

  function keepsNow(path: string): boolean {
    const verdict = verdicts.get(path) ?? judge(path);
    verdicts.set(path, verdict);
    return verdict;
  }

  /** Facts that only served to judge others go, too: about them there is no verdict. */
  function sweep(maps: readonly Map<string, unknown>[]): void {
    for (const path of new Set(maps.flatMap((map) => [...map.keys()].map(toPath)))) keepsNow(path);
    for (const map of maps) for (const key of map.keys()) if (verdicts.get(toPath(key)) !== true) map.delete(key);
  }

  function look<Result>(work: () => Result): Result {
    if (suspensions > 0) return withKnownPaths(work);
    const maps: readonly Map<string, unknown>[] = Object.values(facts);
    const before = countFacts(maps);
    return withFacts(facts, () => {
      try {
        return work();
      } finally {
        // Earlier facts stay, so most looks have nothing to sweep.
        if (countFacts(maps) !== before) sweep(maps);
      }
    });
  }

  return {
    look,
    keeps: (path) => suspensions === 0 && look(() => keepsNow(path)),
    except(folders) {
      if (folders.every(isOpen)) return;
      for (const folder of folders) excepted.add(folder);
      forget();
    },
    forget,
    suspend() {
      suspensions += 1;
      forget();
      let isOver = false;
      return {
        [Symbol.dispose]() {
          if (isOver) return;
          isOver = true;
          suspensions -= 1;
          forget();
        },
      };
    },
  };
}

/** Remembers nothing. */
export const noPathMemory: PathMemory = {
  look: withKnownPaths,
  keeps: () => false,
  except() {},
  forget() {},
  suspend: () => ({ [Symbol.dispose]() {} }),
};

function countFacts(maps: readonly ReadonlyMap<string, unknown>[]): number {
  return maps.reduce((count, { size }) => count + size, 0);
}

function toPath(key: string): string {
  return key.split("\0", 1)[0] ?? "";
}
