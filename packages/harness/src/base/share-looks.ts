import type { PromptFiles } from "@unroll/prompt";

/** The same files for many threads that look at them at once. */
export function shareLooks(files: PromptFiles): PromptFiles {
  const reads = createLooks<string, Awaited<ReturnType<PromptFiles["read"]>>>();
  const lists = createLooks<string, Awaited<ReturnType<PromptFiles["list"]>>>();
  return {
    read: (path, maxBytes) => reads(`${maxBytes} ${path}`, () => files.read(path, maxBytes)),
    list: (path) => lists(path, () => files.list(path)),
  };
}

/** The result of looking at a place. */
export type Looks<Place, Found> = (place: Place, look: () => Promise<Found>) => Promise<Found>;

/** Callers that ask during a look share the next one. So an answer is never older than its question. */
export function createLooks<Place, Found>(): Looks<Place, Found> {
  const running = new Map<Place, Promise<Found>>();
  const waiting = new Map<Place, Promise<Found>>();

  function begin(place: Place, look: () => Promise<Found>): Promise<Found> {
    const begun = look().finally(() => running.get(place) === begun && running.delete(place));
    running.set(place, begun);
    return begun;
  }

  async function beginAfter(before: Promise<Found>, place: Place, look: () => Promise<Found>): Promise<Found> {
    await before.catch(() => {}); // the caller gets it
    waiting.delete(place);
    return begin(place, look);
  }

  return (place, look) => {
    const first = running.get(place);
    if (first === undefined) return begin(place, look);
    const shared = waiting.get(place) ?? beginAfter(first, place, look);
    waiting.set(place, shared);
    return shared;
  };
}
