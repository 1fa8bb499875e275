import type { Clock } from "@unroll/flow";
import type { ProgramPlaces } from "@unroll/process-tree";
import { type FileFinder, openFileFinder, type PathSearch } from "@unroll/program";

/** The files of the working folder, to be found by a few of their letters. */
export interface FileIndex {
  /** The best first of what is listed so far; null: not known yet, and `onMore` tells when they are, or when there are others. */
  find(letters: string): readonly string[] | null;
}

export interface FileIndexOptions {
  /** Where they are, and the git that lists them. */
  readonly places: () => ProgramPlaces;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly signal: AbortSignal;
  readonly onMore: () => void;
}

const shownFiles = 8;
/** After this time, in ms, files are listed again; the old list serves meanwhile. */
const freshMs = 5000;
/** A slow listing serves for this many times its duration, so listing takes at most a twentieth of the time. */
const freshTimes = 20;

/** Nothing is listed before it is asked for. It is listed and looked through a little at a time: no key waits for it. */
export function createFileIndex({ places, clock, signal, onMore }: FileIndexOptions): FileIndex {
  let listing: Listing | null = null;
  let search: Search | null = null;
  let isListing = false;

  async function list(from: ProgramPlaces): Promise<void> {
    const place = from.cwd;
    isListing = true;
    const began = clock.elapsed();
    const finder = openFileFinder(place, { ...from, hasFolders: false, signal, onMore: () => goOnIn(finder) });
    // what was listed of this folder before is whole, and serves until this is
    if (listing?.folder !== place) listing = { folder: place, finder, freshUntil: null };
    try {
      await finder.listed;
    } finally {
      isListing = false;
      const now = clock.elapsed();
      listing = { folder: place, finder, freshUntil: now + Math.max(freshMs, freshTimes * (now - began)) };
    }
    onMore();
  }

  function goOnIn(finder: FileFinder): void {
    if (search?.finder !== finder || search.state !== "unlisted") return;
    step(search);
    onMore();
  }

  /** One step now, and the others between other work, as long as this search is wanted. */
  function step(own: Search): void {
    own.state = own.steps.step();
    if (own.state !== "more") return;
    clock.setTimer(0, () => {
      if (own !== search || signal.aborted) return;
      step(own);
      if (own.state !== "more") onMore();
    });
  }

  function begin(finder: FileFinder, letters: string): Search {
    search = { finder, letters, steps: finder.search(letters, shownFiles), state: "more" };
    step(search);
    return search;
  }

  return {
    find(letters) {
      const from = places();
      const place = from.cwd;
      const isFresh = listing?.folder === place && (listing.freshUntil ?? Infinity) > clock.elapsed();
      if (!isFresh && !isListing) void list(from).catch(() => {});
      if (listing?.folder !== place) return null;
      const isSame = search?.finder === listing.finder && search.letters === letters;
      const { state, steps } = isSame && search !== null ? search : begin(listing.finder, letters);
      const { found } = steps;
      const isUnknown = state === "more" || (state === "unlisted" && found.length === 0);
      return isUnknown ? null : found.map(({ path }) => path);
    },
  };
}

interface Listing {
  readonly folder: string;
  readonly finder: FileFinder;
  /** In ms of the clock; null: it is not whole. */
  readonly freshUntil: number | null;
}

/** The search for the typed letters. */
interface Search {
  readonly finder: FileFinder;
  readonly letters: string;
  readonly steps: PathSearch;
  state: ReturnType<PathSearch["step"]>;
}
