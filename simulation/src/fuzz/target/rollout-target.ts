import { isToolCall, isToolOutput, type JournalEntry, listLiveItems, type ResponseItem } from "@unroll/protocol";
import { openThreadStoreOn, ThreadStoreError } from "@unroll/rollout";
import { untended } from "../../untended.ts";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const threadId = "019b76da-a800-7f33-8248-589d801cc0fe";

/**
 * A thread's file is read or refused. In the result, each output comes after its call, once, and the body of the next
 * request is JSON.
 */
export function openRolloutTarget(): FuzzTarget {
  return {
    async check(bytes) {
      const store = openStoreOf(Buffer.from(bytes));
      const loaded = await store.load(threadId).catch(orRefused);
      if (loaded !== null) checkEntries(loaded.entries);
      const resumed = await store.resume(threadId).catch(orRefused);
      demand(resumed !== null || loaded === null, "a thread can be loaded, but not gone on with");
      if (resumed === null) return;
      checkEntries(resumed.entries);
      await resumed.journal[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function orRefused(error: unknown): null {
  if (error instanceof ThreadStoreError) return null;
  throw error;
}

function openStoreOf(bytes: Buffer): ReturnType<typeof openThreadStoreOn> {
  const unwritten = async (): Promise<void> => {};
  const unwrittenFile = { write: unwritten, truncate: unwritten, sync: unwritten, close: unwritten };
  return openThreadStoreOn(
    {
      find: async (threadId) => ({
        threadId,
        place: threadId,
        isArchived: false,
        usedAt: null,
        size: bytes.length,
      }),
      read: async () => ({
        read: async (buffer, ...[offset, length, position]) => ({
          bytesRead: bytes.copy(buffer, offset, position, position + length),
        }),
      }),
      open: async () => unwrittenFile,
      create: async () => ({ ...unwrittenFile, publish: unwritten }),
      hold: async () => ({ [Symbol.asyncDispose]: unwritten }),
      async *list() {},
      upkeep: untended,
    },
    { now: () => 0 },
  );
}

function checkEntries(entries: readonly JournalEntry[]): void {
  demand(entries[0]?.type === "thread.opened", "a thread that does not begin with its opening");
  const open = new Set<string>();
  const seen = new Set<string>();
  let input = "";
  for (const { item, bytes, lowered } of listLiveItems(entries)) {
    const text = decoder.decode(bytes);
    if (lowered?.joins === true) input = input.slice(0, -messageEnd.length) + text;
    else input += input === "" || text === "" ? text : `,${text}`;
    demand(!isDamagedCall(item), "a call or an output without what belongs to it");
    if (isToolCall(item)) {
      demand(!seen.has(item.call_id), `a call twice: ${item.call_id}`);
      seen.add(item.call_id);
      open.add(item.call_id);
    }
    if (isToolOutput(item)) demand(open.delete(item.call_id), `an output without its call: ${item.call_id}`);
  }
  const last = entries.findLast(({ type }) => type === "turn.started" || type === "turn.ended");
  demand(open.size === 0 || last?.type === "turn.started", `a call without an output: ${[...open].join()}`);
  const head = entries.findLast((entry) => entry.type === "thread.opened" && entry.head !== null);
  const begin = head?.type === "thread.opened" && head.head !== null ? decoder.decode(head.head.bytes) : '{"input":[';
  const body: unknown = JSON.parse(`${begin}${input}]}`);
  demand(typeof body === "object" && body !== null, "a request that is no object");
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** The bytes that an item which continues a message replaces. */
const messageEnd = "]}";

/** The types as requests have them: an item of such a type that cannot be read has no id, or no content. */
function isDamagedCall(item: ResponseItem): boolean {
  return item.type === "unknown" && /^(?:function|custom_tool)_call(?:_output)?$/.test(item.itemType);
}
