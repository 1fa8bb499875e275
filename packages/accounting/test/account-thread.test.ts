import { accountThread, createUsageSum, type PriceOf } from "@unroll/accounting";
import { type JournalEntry, noTokenUsage, parseRequestHead, type RequestCache } from "@unroll/protocol";
import { expect, test } from "vitest";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const price: PriceOf = ({ model, serviceTier }) =>
  model === "gpt-5" && serviceTier === null ? { input: 1, cachedInput: 0.1, output: 10 } : null;

function opened(fields = ""): JournalEntry {
  return {
    type: "thread.opened",
    threadId: "t",
    model: "gpt-5",
    provider: "openai",
    head: parseRequestHead(encode(`{"model":"gpt-5"${fields},"input":[`)),
  };
}

function request(
  input: number | null,
  cache: Partial<RequestCache> = {},
  { isInherited = false, serviceTier = null as string | null } = {},
): JournalEntry {
  const counted = { ...noTokenUsage, input_tokens: input ?? 0, output_tokens: 1000 };
  return {
    type: "request",
    request: {
      responseId: "r",
      model: "gpt-5",
      provider: "openai",
      serviceTier,
      sentAt: 1000,
      usage: input === null ? null : { ...counted, cached_input_tokens: cache.cached_tokens ?? 0 },
      cache: {
        prefix_bytes: 900,
        shared_bytes: 0,
        shared_tokens: 0,
        cached_tokens: 0,
        cache_write_tokens: 0,
        idle_ms: null,
        miss: null,
        ...cache,
      },
      isBeside: false,
      isInherited,
    },
  };
}

const turn: JournalEntry = { type: "turn.started", turnId: "one" };

test("a thread is accounted request by request, with each actual cost and the cost without a cache", () => {
  const miss = { type: "expired", cause: "long ago" } as const;
  const entries = [
    opened(),
    turn,
    request(100_000, { cached_tokens: 0 }),
    turn,
    request(200_000, { cached_tokens: 100_000, shared_tokens: 100_000, shared_bytes: 600, miss }),
  ];
  const row = { sentAt: 1000, model: "gpt-5", outputTokens: 1000, isBeside: false };
  const account = accountThread(entries, price);
  expect(account).toEqual({
    rows: [
      {
        ...row,
        request: 1,
        turn: 1,
        inputTokens: 100_000,
        cachedTokens: 0,
        uncachedTokens: 100_000,
        writtenTokens: 0,
        sharedTokens: 0,
        addedBytes: 900,
        miss: null,
        cost: { withCache: 0.11, withoutCache: 0.11 },
      },
      {
        ...row,
        request: 2,
        turn: 2,
        inputTokens: 200_000,
        cachedTokens: 100_000,
        uncachedTokens: 100_000,
        writtenTokens: 0,
        sharedTokens: 100_000,
        addedBytes: 300,
        miss,
        cost: { withCache: 0.12, withoutCache: 0.21 },
      },
    ],
    turns: 2,
    rewoundTurns: 0,
    usage: { ...noTokenUsage, input_tokens: 300_000, cached_input_tokens: 100_000, output_tokens: 2000 },
    cost: { withCache: expect.closeTo(0.23), withoutCache: expect.closeTo(0.32) },
    unpricedRequests: 0,
    hasOtherRequests: false,
  });
});

test.each([
  ["the price", [opened(), request(1000, {}, { serviceTier: "flex" })]],
  ["the usage", [opened(), request(null, { cached_tokens: null })]],
  ["what was cached", [opened(), request(1000, { cached_tokens: null })]],
])("where nobody knows %s the cost is unknown and not 0", (_what, entries) => {
  expect(accountThread(entries, price)).toMatchObject({ rows: [{ cost: null }], cost: null, unpricedRequests: 1 });
});

test("requests that a fork begins with are counted where they were made", () => {
  const { rows, usage } = accountThread(
    [opened(), turn, request(1000, {}, { isInherited: true }), turn, request(500)],
    price,
  );
  expect(rows).toMatchObject([{ request: 1, turn: 2, inputTokens: 500 }]);
  expect(usage.input_tokens).toBe(500);
});

test("a turn whose requests were not written down counts by its end, one whose requests were by them", () => {
  const ended = (tokens: number): JournalEntry => ({
    type: "turn.ended",
    turnId: "one",
    outcome: { type: "interrupted", usage: { ...noTokenUsage, input_tokens: tokens } },
    nextItem: 0,
  });
  const sum = createUsageSum([turn, ended(7), turn, request(100), ended(100), turn, request(30), turn]);
  expect(sum.total.input_tokens).toBe(137);
  expect(sum.isTurnTold).toBe(false);
});

test("requests of turns that were rewound count, and the account tells how many turns those are", () => {
  const second: JournalEntry = { type: "turn.started", turnId: "two" };
  const rewound: readonly JournalEntry[] = [
    { type: "thread.rewound", turnId: "two" },
    { type: "epoch", cause: "rewound", isFinal: true, items: [] },
  ];
  const entries = [opened(), turn, request(1000), second, request(2000), ...rewound];
  const { rows, turns, rewoundTurns } = accountThread(entries, price);
  expect({ requests: rows.length, turns, rewoundTurns }).toEqual({ requests: 2, turns: 2, rewoundTurns: 1 });
});
