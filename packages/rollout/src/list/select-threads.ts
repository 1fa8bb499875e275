import type { ThreadQuery, ThreadSummary } from "@unroll/protocol";

/** The threads of a list that `search`, `parent`, `after` and `limit` select; reads no more of them than that needs. */
export async function* selectThreads(
  threads: AsyncIterable<ThreadSummary>,
  { search, parent, after, limit = Infinity }: ThreadQuery,
): AsyncGenerator<ThreadSummary, void> {
  const text = search?.toLowerCase() ?? "";
  let [isBehind, count] = [after === undefined, 0];
  if (limit <= 0) return;
  for await (const thread of threads) {
    const isFound = [thread.name, thread.title].some((each) => each?.toLowerCase().includes(text));
    const isChild = parent === undefined || thread.parent?.threadId === parent;
    if (isBehind && isChild && (search === undefined || isFound)) {
      yield thread;
      count += 1;
      if (count >= limit) return;
    }
    isBehind ||= thread.threadId === after;
  }
}
