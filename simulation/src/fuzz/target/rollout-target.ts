import { isToolCall, isToolOutput, type JournalEntry, listLiveItems } from "@unroll/protocol";
import { openThreadStoreOn, ThreadStoreError } from "@unroll/rollout";
import { untended } from "../../untended.ts";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const threadId = "019b76da-a800-7f33-8248-589d801cc0fe";

/**
 * A thread's file is read or refused. In the result, each output comes after its call, once, and items match their
 * bytes.
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
  for (const { item, bytes } of listLiveItems(entries)) {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    demand(typeof parsed === "object" && parsed !== null, "an item whose bytes are none");
    if (isToolCall(item)) {
      demand(!seen.has(item.call_id), `a call twice: ${item.call_id}`);
      seen.add(item.call_id);
      open.add(item.call_id);
    }
    if (isToolOutput(item)) demand(open.delete(item.call_id), `an output without its call: ${item.call_id}`);
  }
}
