import type { Clock } from "@unroll/flow";
import { listFiles } from "./list-files.ts";

/** The files of the working folder, to be found by a few of their letters. */
export interface FileIndex {
  /** The best first; null: they are still being listed, and `onReady` tells when they are. */
  find(letters: string): readonly string[] | null;
}

export interface FileIndexOptions {
  readonly folder: () => string;
  readonly clock: Pick<Clock, "elapsed">;
  readonly signal: AbortSignal;
  readonly onReady: () => void;
}

const shownFiles = 8;
/** After so long, in ms, they are listed anew; what was listed serves meanwhile. */
const freshMs = 5000;

/** Nothing is listed before it is asked for, nor while a key is waited for. */
export function createFileIndex({ folder, clock, signal, onReady }: FileIndexOptions): FileIndex {
  let listed: Listed | null = null;
  let isListing = false;

  async function list(place: string): Promise<void> {
    isListing = true;
    try {
      const { default: fuzzysort } = await import("fuzzysort");
      const files = await listFiles(place, signal);
      const targets = files.map((path) => fuzzysort.prepare(path));
      listed = {
        folder: place,
        at: clock.elapsed(),
        find: (letters) =>
          letters === ""
            ? files.slice(0, shownFiles)
            : fuzzysort.go(letters, targets, { limit: shownFiles }).map(({ target }) => target),
      };
    } finally {
      isListing = false;
    }
    if (!signal.aborted) onReady();
  }

  return {
    find(letters) {
      const place = folder();
      const isFresh = listed?.folder === place && clock.elapsed() - listed.at < freshMs;
      if (!isFresh && !isListing) void list(place).catch(() => {});
      return listed?.folder === place ? listed.find(letters) : null;
    },
  };
}

interface Listed {
  readonly folder: string;
  readonly at: number;
  readonly find: (letters: string) => readonly string[];
}
