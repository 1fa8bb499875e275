import { randomUUIDv7 } from "node:crypto";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import {
  type CompletedRequest,
  type JournalEntry,
  type ResponseItem,
  type SentItem,
  type StoredJournal,
  toRequestHead,
} from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";

const encoder = new TextEncoder();
const usage = {
  input_tokens: 1,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 1,
  reasoning_output_tokens: 0,
};

/** A folder that no command of a bench works in. */
const elsewhere = "/nowhere";

/** Writes so many small threads of other folders, used one after the other until now. */
export async function writeSmallThreads(codexHome: string, count: number): Promise<void> {
  const now = Date.now();
  for (let n = 0; n < count; n++) {
    const usedAt = new Date(now - (count - n) * 60_000);
    const [date = "", time = ""] = usedAt.toISOString().slice(0, "2026-01-01T00:00:00".length).split("T");
    const folder = join(codexHome, "sessions", ...date.split("-"));
    const path = join(folder, `rollout-${date}T${time.replaceAll(":", "-")}-${randomUUIDv7()}.jsonl`);
    const meta = {
      id: "x",
      timestamp: usedAt.toISOString(),
      cwd: elsewhere,
      originator: "bench",
      cli_version: "0.0.0",
    };
    if (n % 1000 === 0 || date !== new Date(now - (count - n + 1) * 60_000).toISOString().slice(0, date.length))
      await mkdir(folder, { recursive: true });
    await writeFile(
      path,
      `${JSON.stringify({ timestamp: usedAt.toISOString(), type: "session_meta", payload: meta })}\n`,
    );
    await utimes(path, usedAt, usedAt);
  }
}

export interface LargeThread {
  readonly codexHome: string;
  readonly cwd: string;
  readonly provider: string;
  /** About, in bytes. */
  readonly size: number;
  /** About the size of one epoch, in bytes. */
  readonly epochSize: number;
}

/**
 * Writes a thread of many calls with outputs of 8 kB, which starts a new epoch whenever one is full. Returns its id.
 */
export async function writeLargeThread({ codexHome, cwd, provider, size, epochSize }: LargeThread): Promise<string> {
  const store = openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
  const threadId = randomUUIDv7();
  await using journal = await store.create({
    threadId,
    cwd,
    userAgent: "bench",
    modelProvider: provider,
    forkedFrom: null,
  });
  const head = toRequestHead({ model: "gpt-5", stream: true, instructions: "", tools: [] });
  journal.record({ type: "thread.opened", threadId, model: "gpt-5", provider, head });
  journal.record({ type: "turn.started", turnId: "one" });
  const output = `${"a line of output that says something\n".repeat(220)}`;
  let [written, inEpoch] = [0, 0];
  for (let n = 0; written < size; n++) {
    if (inEpoch > epochSize) {
      journal.record({
        type: "epoch",
        cause: "it was full",
        isFinal: false,
        items: [toSent(toMessage("What was said before."))],
      });
      inEpoch = 0;
    }
    const call: ResponseItem = {
      type: "function_call",
      call_id: `call_${n}`,
      name: "run",
      arguments: `{"command":"step ${n}"}`,
    };
    for (const item of [call, { type: "function_call_output", call_id: `call_${n}`, output } as const]) {
      journal.record({ type: "item", item: toSent(item) });
      if (item === call) journal.record({ type: "request", request: toRequest(n) });
    }
    written += output.length + 400;
    inEpoch += output.length + 400;
    if (n % 100 === 0) await journal.settled();
  }
  journal.record({
    type: "turn.ended",
    turnId: "one",
    outcome: { type: "completed", finalMessage: "Done.", usage },
    nextItem: 1,
  });
  return threadId;
}

/** Ms for one record, each settled before the next, with an output of 2 kB. */
export async function measureAppend(journal: StoredJournal, count: number): Promise<number> {
  const item = toSent({
    type: "message",
    role: "developer",
    content: [{ type: "input_text", text: "x".repeat(2000) }],
  });
  const entry: JournalEntry = { type: "item", item };
  const began = performance.now();
  for (let n = 0; n < count; n++) {
    journal.record(entry);
    await journal.settled();
  }
  return (performance.now() - began) / count;
}

/** That the N-th call was the answer to. */
function toRequest(n: number): CompletedRequest {
  const cache = {
    prefix_bytes: 1,
    shared_bytes: 0,
    shared_tokens: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    idle_ms: null,
    miss: null,
  };
  const sentTo = { model: "gpt-5", provider: "bench", serviceTier: null };
  const flags = { isBeside: false, isInherited: false };
  return { responseId: `resp_${n}`, ...sentTo, sentAt: 1_700_000_000_000 + n, usage, cache, ...flags };
}

function toMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function toSent(item: ResponseItem): SentItem {
  return { item, bytes: encoder.encode(JSON.stringify(item)) };
}
