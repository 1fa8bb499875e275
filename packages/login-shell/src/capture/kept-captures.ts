import { dirname } from "node:path";
import type { PathMemory } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import { stampFiles } from "../profile/profile-stamp.ts";
import type { CaptureFolder } from "./capture-folder.ts";
import type { Capture } from "./capture-state.ts";

/** The most recently used results of profiles, by what distinguishes their commands. */
export interface KeptCaptures {
  /** Null: there is none, it is an hour old, or what it hangs on has changed, as far as `paths` looks. */
  find(key: string, paths: Pick<PathMemory, "look" | "forget">): Capture | null;
  /** `files`: those that it hangs on. Resolves when what nobody reads any more is removed. */
  keep(key: string, made: Pick<Kept, "capture" | "madeAt" | "files">): Promise<void>;
  drop(key: string): void;
}

interface Kept {
  readonly capture: Capture;
  /** As `elapsed` counts. */
  readonly madeAt: number;
  readonly files: readonly string[];
  readonly stamp: string;
}

/** A file that no further command is given. */
interface Retired {
  readonly folder: string;
  readonly since: number;
}

/** In ms. */
const maxAge = 3_600_000;
/** In ms: a command that was given a file reads it when it starts, which a busy machine may do late. */
const readingMs = 60_000;

export function createKeptCaptures(
  folder: Pick<CaptureFolder, "remove">,
  { elapsed, maxKept }: Pick<Clock, "elapsed"> & { readonly maxKept: number },
): KeptCaptures {
  const kept = new Map<string, Kept>();
  let retired: Retired[] = [];

  function drop(key: string): void {
    const capture = kept.get(key)?.capture;
    kept.delete(key);
    if (capture?.type === "captured") retired.push({ folder: dirname(capture.file.path), since: elapsed() });
  }

  async function removeUnread(): Promise<void> {
    const isUnread = ({ since }: Retired): boolean => elapsed() - since >= readingMs;
    const unread = retired.filter(isUnread);
    retired = retired.filter((each) => !isUnread(each));
    await Promise.all(unread.map((each) => folder.remove(each.folder)));
  }

  return {
    find(key, paths) {
      const found = kept.get(key);
      if (found === undefined || elapsed() - found.madeAt >= maxAge) return null;
      const { capture, files, stamp } = found;
      if (capture.type === "captured" && !capture.file.isWhole()) return null;
      const isUnchanged = (): boolean => paths.look(() => stampFiles(files)) === stamp;
      // A remembered stamp may be older than the capture.
      if (!isUnchanged() && (paths.forget(), !isUnchanged())) return null;
      kept.delete(key);
      kept.set(key, found); // the last that was asked for
      return capture;
    },
    async keep(key, made) {
      drop(key);
      kept.set(key, { ...made, stamp: stampFiles(made.files) });
      for (const oldest of [...kept.keys()].slice(0, -maxKept)) drop(oldest);
      await removeUnread();
    },
    drop,
  };
}
