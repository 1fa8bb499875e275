import type { StepGuard } from "@unroll/core";
import {
  type JournalEntry,
  type RequestCache,
  type ResponseUsage,
  type ThreadEvent,
  toRequestHead,
} from "@unroll/protocol";
import { expect, test } from "vitest";
import {
  answer,
  type Answer,
  call,
  createFakeModel,
  createFakeThread,
  type FakeThreadParts,
  runToEnd,
  said,
  stream,
  user,
} from "./fake-ports.ts";

interface Counts {
  readonly input: number;
  /** Absent: the server does not say. */
  readonly cached?: number;
  readonly written?: number;
}

/** Answers, or asks for a tool where there is more to come. */
function counted(index: number, { input, cached, written }: Counts): Answer {
  return async function* counting() {
    yield* stream(index < 0 ? [said("Done.")] : [call(`call_${index}`)]);
    const told = { cached_tokens: cached, cache_write_tokens: written };
    const details = cached === undefined ? {} : { input_tokens_details: told };
    const usage: ResponseUsage = { input_tokens: input, output_tokens: 3, total_tokens: input + 3, ...details };
    return { type: "completed", responseId: `resp_${index}`, usage };
  };
}

const cachesOf = (events: readonly ThreadEvent[]): readonly RequestCache[] =>
  events.flatMap((event) => (event.type === "request.completed" ? [event.cache] : []));

/** A turn of so many requests; a second of the clock goes by with each look at it. */
async function runCounted(
  counts: readonly Counts[],
  { secondsApart = 1, ...parts }: FakeThreadParts & { readonly secondsApart?: number } = {},
): Promise<{ readonly caches: readonly RequestCache[]; readonly bodies: readonly string[]; readonly texts: string[] }> {
  let now = 0;
  const clock = { now: () => (now += secondsApart * 1000) };
  const model = createFakeModel(counts.map((each, n) => counted(n === counts.length - 1 ? -1 : n, each)));
  const { events } = await runToEnd(createFakeThread(model, { clock, ...parts }), "Go");
  const texts = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  return { caches: cachesOf(events), bodies: model.bodies, texts };
}

const lengthOf = (body: string | undefined): number => new TextEncoder().encode(body).length - "]}".length;

test("each request tells how many bytes and tokens it shares with the one before, that all of them were cached, and what was put there", async () => {
  const { caches, bodies } = await runCounted([
    { input: 2000, cached: 0 },
    { input: 2100, cached: 1920, written: 128 },
  ]);
  expect(caches).toEqual([
    {
      prefix_bytes: lengthOf(bodies[0]),
      shared_bytes: 0,
      shared_tokens: 0,
      cached_tokens: 0,
      cache_write_tokens: null,
      idle_ms: null,
      miss: null,
    },
    {
      prefix_bytes: lengthOf(bodies[1]),
      shared_bytes: lengthOf(bodies[0]),
      shared_tokens: 2000,
      cached_tokens: 1920,
      cache_write_tokens: 128,
      idle_ms: 1000,
      miss: null,
    },
  ]);
});

test.each([
  ["the server forgot it after a while", { secondsApart: 600 }, 10_000, "expired", "10 min earlier"],
  ["the server did not use what it had", {}, 10_000, "unexplained", "1 s after the previous request"],
  ["there was too little to be cached", {}, 900, "too_short", "1,024 tokens"],
])("a miss has its cause: %s", async (...[, parts, input, type, words]) => {
  const { caches } = await runCounted([{ input }, { input, cached: 0 }], parts);
  expect(caches[1]?.miss).toEqual({ type, cause: expect.stringContaining(words) });
});

test("if a server does not report cached tokens, the miss is not reported, rather than unexplained", async () => {
  const { caches } = await runCounted([{ input: 5000 }, { input: 5100 }]);
  expect(caches[1]).toMatchObject({ cached_tokens: null, miss: { type: "not_reported" } });
});

test("after a compaction the first request tells which item differs first and why, and the next is whole again", async () => {
  const compaction: StepGuard = {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before({ requests, items }) {
      if (requests !== 1) return { type: "go" };
      return { type: "compact", items: [...items.slice(0, 1), user("summary")], cause: "the window was full" };
    },
  };
  const counts = [5000, 3000, 3100].map((input) => ({ input, cached: 0 }));
  const { caches, bodies } = await runCounted(counts, { guards: [compaction] });
  const first = bodies[0] ?? "";
  expect(caches[1]).toMatchObject({
    shared_bytes: lengthOf(first), // the first request had sent that one item
    miss: { type: "unexplained" },
  });
  expect(caches[2]).toMatchObject({ shared_bytes: lengthOf(bodies[1]), shared_tokens: 3000 });

  const fromScratch: StepGuard = {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before({ requests }) {
      return requests === 1 ? { type: "compact", items: [user("summary")], cause: "it was long" } : { type: "go" };
    },
  };
  const broken = await runCounted(counts.slice(0, 2), { guards: [fromScratch] });
  expect(broken.caches[1]?.miss).toEqual({
    type: "epoch_opened",
    first_difference: { index: 0, type: "message" },
    cause: "it was long",
  });
  expect(broken.caches[1]?.shared_bytes).toBe((broken.bodies[0] ?? "").indexOf('"input":[') + '"input":['.length);
  expect(broken.texts).toEqual([]); // the epoch has its own event
});

function recordEntries(): { readonly entries: JournalEntry[]; readonly parts: FakeThreadParts } {
  const entries: JournalEntry[] = [];
  const record = (entry: JournalEntry): void => {
    const isRequest = entry.type === "request";
    entries.push(isRequest ? { ...entry, request: { ...entry.request, provider: "openai" } } : entry);
  };
  const journal = { record, settled: () => Promise.resolve() };
  return { entries, parts: { journal } };
}

/** The head that the fake thread sends, with other values in it. */
function toOpened(changes: object, provider = "openai"): JournalEntry {
  const head = {
    model: "test-model",
    instructions: "Be brief.",
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: true,
  };
  const rest = { store: false, stream: true, include: ["reasoning.encrypted_content"], prompt_cache_key: "thread-1" };
  const sent = toRequestHead({ ...head, ...rest, ...changes });
  return { type: "thread.opened", threadId: "thread-1", model: "test-model", provider, head: sent };
}

test("a thread that resumes in another process shares bytes with the previous process's last request", async () => {
  const { entries, parts } = recordEntries();
  const first = await runCounted([{ input: 2000, cached: 0 }], parts);
  const opened = [toOpened({}), ...entries];
  const { caches, texts } = await runCounted([{ input: 2200, cached: 1920 }], { entries: opened });
  expect(caches[0]).toMatchObject({ shared_bytes: lengthOf(first.bodies[0]), shared_tokens: 2000, miss: null });
  expect(texts).toEqual([]);
});

test.each([
  ["the model", toOpened({ model: "old" }), "model_changed", "model", "the model changed from old to test-model"],
  [
    "the instructions",
    toOpened({ instructions: "?" }),
    "instructions_changed",
    "instructions",
    "the instructions changed",
  ],
  ["the tools", toOpened({ tools: [{}] }), "tools_changed", "tools", "the tools changed"],
  ["a setting", toOpened({ store: true }), "settings_changed", "store", "store changed, which comes before the input"],
])(
  "%s of a resumed thread changed: a warning before the request and its event say so",
  async (...[, opened, type, field, cause]) => {
    const { entries, parts } = recordEntries();
    await runCounted([{ input: 2000, cached: 0 }], parts);
    const { caches, texts } = await runCounted([{ input: 2000, cached: 0 }], { entries: [opened, ...entries] });
    expect(caches[0]?.miss).toEqual({ type, first_difference: { index: null, type: field }, cause });
    expect(texts).toEqual([`The provider's cache does not hold for the next request: ${cause}.`]);
  },
);

test("the cache miss names another program, another provider or a changed history", async () => {
  const { entries, parts } = recordEntries();
  await runCounted([{ input: 2000, cached: 0 }], parts);
  const missOf = async (before: readonly JournalEntry[]): Promise<string | undefined> =>
    (await runCounted([{ input: 2000, cached: 0 }], { entries: before })).caches[0]?.miss?.type;
  const foreign = { ...toOpened({}), head: null } as JournalEntry;
  const items = entries.filter(({ type }) => type === "item");
  expect(await missOf([foreign, ...items])).toBe("other_program");
  expect(await missOf([toOpened({}, "azure"), ...entries])).toBe("provider_changed");
  expect(await missOf([toOpened({}), ...entries.toSpliced(1, 1)])).toBe("history_changed");
  // a store may tell the last of several heads alone
  const older = entries.map((entry) =>
    entry.type === "request" ? { ...entry, request: { ...entry.request, model: "older" } } : entry,
  );
  expect(await missOf([toOpened({}), ...older])).toBe("model_changed");
});

test("a turn tells what it used, and what the thread did, in other processes too", async () => {
  const { entries, parts } = recordEntries();
  await runCounted(
    [
      { input: 2000, cached: 0 },
      { input: 2100, cached: 2000 },
    ],
    parts,
  );
  const model = createFakeModel([counted(-1, { input: 2200, cached: 2100 })]);
  const { events } = await runToEnd(createFakeThread(model, { entries }), "More");
  expect(events.at(-1)).toMatchObject({
    usage: { input_tokens: 2200, cached_input_tokens: 2100 },
    thread_usage: { input_tokens: 6300, cached_input_tokens: 4100, output_tokens: 9 },
  });
});

test("what a turn used that was cut off counts, and what another thread used of which this is a fork does not", async () => {
  const { entries, parts } = recordEntries();
  await runCounted([{ input: 2000 }, { input: 2100 }], parts);
  const cut = entries.slice(0, entries.findIndex(({ type }) => type === "request") + 1);
  const totalOf = async (before: readonly JournalEntry[]): Promise<unknown> => {
    const { events } = await runToEnd(
      createFakeThread(createFakeModel([answer(said("Hi."))]), { entries: before }),
      "More",
    );
    return events.at(-1);
  };
  expect(await totalOf(cut)).toMatchObject({ thread_usage: { input_tokens: 2010 } });
  const inherited = cut.map((entry) =>
    entry.type === "request" ? { ...entry, request: { ...entry.request, isInherited: true } } : entry,
  );
  expect(await totalOf(inherited)).toMatchObject({ thread_usage: { input_tokens: 10 } });
});

test("a request beside the turn counts, is measured by its own bytes, and the next one continues from the request before it", async () => {
  const { entries, parts } = recordEntries();
  const thread = createFakeThread(
    createFakeModel([counted(-1, { input: 2000 }), counted(-1, { input: 2050, cached: 1920 })]),
    parts,
  );
  await runToEnd(thread, "One");
  const { state, requests } = thread.ports;
  const summary = new TextEncoder().encode(`${new TextDecoder().decode(state.transcript.encoded)},{"role":"user"}`);
  const usage = { input_tokens: 2100, output_tokens: 50, total_tokens: 2150 };
  const { cache } = state.ledger.openBeside(requests.head, summary).answer({ responseId: "beside", usage });
  expect(cache).toMatchObject({ prefix_bytes: requests.head.bytes.length + summary.length, shared_tokens: 2000 });
  expect(
    state.ledger.openBeside(requests.head, summary.subarray(9)).answer({ responseId: "other", usage: null }).cache,
  ).toMatchObject({
    shared_bytes: requests.head.bytes.length,
    miss: { type: "other_input", first_difference: { index: null, type: "input" } },
  });
  const { events } = await runToEnd(thread, "Two");
  expect(cachesOf(events)).toMatchObject([{ shared_tokens: 2000, miss: null }]);
  expect(events.at(-1)).toMatchObject({ thread_usage: { input_tokens: 6150 } });
  const resumed = createFakeThread(createFakeModel([counted(-1, { input: 2100, cached: 2048 })]), {
    entries: [toOpened({}), ...entries],
  });
  expect(cachesOf((await runToEnd(resumed, "Three")).events)).toMatchObject([{ shared_tokens: 2050 }]);
});
