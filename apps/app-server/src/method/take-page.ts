/** The page of a list that a client wants. */
interface PageRequest {
  /** The place of the first entry; null: the first one in this direction. */
  readonly cursor: number | null;
  readonly limit: number | null;
  readonly direction: "asc" | "desc";
}

interface Page<Entry> {
  readonly data: Entry[];
  readonly nextCursor: string | null;
  /** Begins a page in the other direction with the first entry of this one. */
  readonly backwardsCursor: string | null;
}

const usualLimit = 50;

/** Cursors are places in the order of time, so they stay right while a list grows at its end. */
export function takePage<Entry>(entries: readonly Entry[], { cursor, limit, direction }: PageRequest): Page<Entry> {
  const size = limit ?? usualLimit;
  const isForward = direction === "asc";
  const first = cursor ?? (isForward ? 0 : entries.length - 1);
  const next = isForward ? first + size : first - size;
  const data = isForward ? entries.slice(first, next) : entries.slice(Math.max(0, next + 1), first + 1).toReversed();
  const hasMore = isForward ? next < entries.length : next >= 0;
  return {
    data,
    nextCursor: hasMore ? String(next) : null,
    backwardsCursor: data.length === 0 ? null : String(first),
  };
}
