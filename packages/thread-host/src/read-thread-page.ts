import { forEach } from "@unroll/flow";
import type { ThreadStore, ThreadSummary } from "@unroll/protocol";
import { listThreads } from "@unroll/use-cases/threads";
import { ThreadHostError } from "./thread-host-error.ts";

/** Selects saved threads. */
export interface ThreadPageQuery {
  /** The `nextCursor` of the page before; null: the first page. */
  readonly cursor: string | null;
  /** How many; null: 50. */
  readonly size: number | null;
  readonly isWanted: (thread: ThreadSummary) => boolean;
  /** Absent: the thread used last first. With another order all threads are read for a page. */
  readonly compare?: (left: ThreadSummary, right: ThreadSummary) => number;
  /** Only archived threads, or only the others. */
  readonly archived: boolean;
}

/** A page of a list. */
export interface ThreadPage {
  readonly threads: readonly ThreadSummary[];
  /** Null: it is the last page. */
  readonly nextCursor: string | null;
}

const usualSize = 50;

/** Throws `ThreadHostError` `wrong_cursor`. */
export async function readThreadPage(store: ThreadStore, query: ThreadPageQuery): Promise<ThreadPage> {
  const { isWanted, archived, compare } = query;
  const [skip, limit] = [readCursor(query.cursor) ?? 0, query.size ?? usualSize];
  const threads: ThreadSummary[] = [];
  if (compare !== undefined) {
    await forEach(listThreads(store, { archived, isWanted }), (thread) => void threads.push(thread));
    const end = skip + limit;
    const nextCursor = threads.length > end ? String(end) : null;
    return { threads: threads.toSorted(compare).slice(skip, end), nextCursor };
  }
  const hasMore = await forEach(
    listThreads(store, { archived, isWanted, skip, limit }),
    (thread) => void threads.push(thread),
  );
  return { threads, nextCursor: hasMore ? String(skip + limit) : null };
}

/** The place that a page starts at; null: the first one. Throws `ThreadHostError` `wrong_cursor`. */
export function readCursor(cursor: string | null): number | null {
  if (cursor === null) return null;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ThreadHostError("wrong_cursor", "cursor: the nextCursor of the page before is expected.");
}
