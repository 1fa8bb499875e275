import type { Clock } from "@unroll/flow";
import { type FileFinder, openFileFinder } from "@unroll/program";

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
      const finder = await openFileFinder(place, { hasFolders: false, signal });
      listed = { folder: place, at: clock.elapsed(), finder };
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
      return listed?.folder === place ? listed.finder.find(letters, shownFiles).map(({ path }) => path) : null;
    },
  };
}

interface Listed {
  readonly folder: string;
  readonly at: number;
  readonly finder: FileFinder;
}
