import { openProgramStore } from "@unroll/program";
import {
  type CompletedRequest,
  type JournalEntry,
  noTokenUsage,
  type RequestCache,
  toRequestHead,
} from "@unroll/protocol";
import { type InProcessWorld, openInProcessWorld } from "./run-in-process.ts";
import type { RanCommand } from "./run-unroll.ts";

/** A home with one thread that was started in `work`. */
interface ThreadTarget extends AsyncDisposable {
  readonly id: string;
  readonly work: string;
  /** Runs the command in this process, with 24 rows of so many columns as its terminal. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>, columns?: number): Promise<RanCommand>;
  readonly write: InProcessWorld["write"];
}

const encode = (value: string): Uint8Array => new TextEncoder().encode(value);

export function say(role: "user" | "assistant", words: string): JournalEntry {
  const item = { type: "message", role, content: [{ type: "input_text", text: words }] } as const;
  return { type: "item", item: { item, bytes: encode(JSON.stringify(item)) } };
}

const began = Date.parse("2026-05-06T12:00:00Z");

function request(provider: string, minute: number, cache: Partial<RequestCache>): JournalEntry {
  const usage = { ...noTokenUsage, input_tokens: 5000 + 50 * minute, output_tokens: 200 };
  const whole = {
    prefix_bytes: 900,
    shared_bytes: 0,
    shared_tokens: 0,
    cached_tokens: 0,
    cache_write_tokens: 0,
    idle_ms: null,
    miss: null,
  };
  const sentAt = began + minute * 60_000;
  const made: CompletedRequest = {
    responseId: "r",
    model: "gpt-5",
    provider,
    serviceTier: null,
    sentAt,
    usage,
    cache: { ...whole, ...cache },
    isBeside: false,
    isInherited: false,
  };
  return { type: "request", request: made };
}

interface KeptThreadOptions {
  readonly provider?: string;
  readonly said?: readonly JournalEntry[];
  readonly id?: string;
  /** When commands run. */
  readonly now?: number;
}

/** Two requests, the second of which missed the cache. */
export async function openKeptThread({
  provider = "openai",
  said = [],
  id = "thread-1",
  now = began,
}: KeptThreadOptions = {}): Promise<ThreadTarget> {
  const world = await openInProcessWorld();
  const { work } = world;
  const store = await openProgramStore(
    { codexHome: world.codexHome },
    { now: () => began, pid: process.pid, elapsed: Date.now, newId: () => "", cwd: "/", env: {} },
  );
  const meta = { threadId: id, cwd: work, userAgent: "test", modelProvider: provider, forkedFrom: null };
  const miss = { type: "expired", cause: "the request before was 20 min ago" } as const;
  await using journal = await store.create(meta);
  const entries: readonly JournalEntry[] = [
    { type: "thread.opened", threadId: id, model: "gpt-5", provider, head: toRequestHead({ model: "gpt-5" }) },
    { type: "turn.started", turnId: "one" },
    ...said,
    request(provider, 0, {}),
    request(provider, 20, { shared_bytes: 800, shared_tokens: 5000, idle_ms: 1_200_000, miss }),
    { type: "turn.ended", turnId: "one", outcome: { type: "interrupted", usage: noTokenUsage }, nextItem: 0 },
  ];
  for (const entry of entries) journal.record(entry);
  return {
    id,
    work,
    run: (args, env = {}, columns) =>
      world.run(args, { env, now: () => now, ...(columns !== undefined && { size: { columns, rows: 24 } }) }),
    write: (path, text) => world.write(path, text),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
