import type { PromptFiles } from "@unroll/prompt";

/**
 * The same files for many threads that look at them at once: who asks while a look at a place is under way shares the next one
 * with all others who do. So an answer is never older than its question.
 */
export function shareLooks(files: PromptFiles): PromptFiles {
  const reads = createLooks<Awaited<ReturnType<PromptFiles["read"]>>>();
  const lists = createLooks<Awaited<ReturnType<PromptFiles["list"]>>>();
  return {
    read: (path, maxBytes) => reads(`${maxBytes} ${path}`, () => files.read(path, maxBytes)),
    list: (path) => lists(path, () => files.list(path)),
  };
}

type Looks<Found> = (place: string, look: () => Promise<Found>) => Promise<Found>;

function createLooks<Found>(): Looks<Found> {
  const running = new Map<string, Promise<Found>>();
  const waiting = new Map<string, Promise<Found>>();

  function begin(place: string, look: () => Promise<Found>): Promise<Found> {
    const begun = look().finally(() => running.get(place) === begun && running.delete(place));
    running.set(place, begun);
    return begun;
  }

  async function beginAfter(before: Promise<Found>, place: string, look: () => Promise<Found>): Promise<Found> {
    await before.catch(() => {}); // it is told to who asked for it
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
