import { type Script, startScriptedModel } from "@unroll/scripted-model";
import { fromOpenAI } from "@unroll/responses-client/openai";
import type { RequestBody, ThreadHeaders } from "@unroll/protocol";
import OpenAI from "openai";
import { expect, test } from "vitest";
import type { ResponsesClient } from "../src/index.ts";
import { completed, json, startFaultServer, stream, type Answer } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

type Sends = Pick<ResponsesClient, "stream" | "compact">;

const state = "x-codex-turn-state";
const ids = { "session-id": "thread-1", "thread-id": "thread-1", "x-client-request-id": "thread-1" };
const names = [...Object.keys(ids), "session_id", state];

function withState(token: string): Answer {
  return (response) => {
    response.setHeader(state, token);
    stream(completed)(response);
  };
}

/** The headers that tell the thread, of each request that a server got. */
function pickIds(requests: readonly { readonly headers: object }[]): readonly object[] {
  return requests.map(({ headers }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name))),
  );
}

async function sendAll(client: Sends, requests: readonly Partial<RequestBody>[]): Promise<void> {
  for (const each of requests) await collect(client.stream({ ...request, ...each }, never));
}

test.for([
  ["hyphen", ids],
  ["both", { ...ids, session_id: "thread-1" }],
  ["none", {}],
] as const)("thread_headers = %s tells the thread's id, and a turn's token only with it", async ([style, expected]) => {
  await using server = await startFaultServer([withState("a"), withState("b")]);
  using client = openClient(server.origin, { provider: { threadHeaders: style } });
  await sendAll(client, [{}, {}]);
  const [first, second] = pickIds(server.requests);
  expect(first).toEqual(expected);
  expect(second).toEqual(style === "none" ? {} : { ...expected, [state]: "a" });
});

test("the first token of a turn is sent until the turn ends, in compactions too, and never in another turn or thread", async () => {
  await using server = await startFaultServer([withState("a"), withState("b"), withState("c"), stream(completed)]);
  using client = openClient(server.origin);
  await sendAll(client, [{}, {}, { turnId: "turn-2" }, { threadId: "thread-2" }, { turnId: "turn-2" }]);
  await collect(client.compact({ ...request, turnId: "turn-2" }, never));
  await sendAll(client, [{ turnId: "turn-3" }, { threadId: "thread-2", turnId: "turn-2" }]);
  expect(server.requests.map(({ headers }) => headers[state] ?? null)).toEqual([
    null,
    "a",
    null,
    null,
    "c",
    "c",
    null,
    null,
  ]);
});

test("no token is taken from a refusal, nor one that is too long to send back", async () => {
  const refusal = json(503, {}, { [state]: "refused" });
  await using server = await startFaultServer([refusal, withState("x".repeat(4097)), withState("y".repeat(4096))]);
  using client = openClient(server.origin);
  await sendAll(client, [{}, {}, {}, {}]);
  // the refusal, its retry, the answer with the long one; the last two have the one that fits
  expect(server.requests.map(({ headers }) => headers[state]?.length ?? 0)).toEqual([0, 0, 0, 4096, 4096]);
});

test("a retry within a turn carries the token, a token never goes to another provider", async () => {
  await using server = await startFaultServer([withState("a"), json(503, {}), stream(completed)]);
  await using other = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin);
  await sendAll(client, [{}, {}]);
  expect(server.requests.map(({ headers }) => headers[state] ?? null)).toEqual([null, "a", "a"]);
  using elsewhere = openClient(other.origin);
  await sendAll(elsewhere, [{}]);
  expect(other.requests[0]?.headers[state]).toBeUndefined();
});

test("of more than 1,000 turns at once the latest keep their token", async () => {
  await using server = await startFaultServer([withState("a")]);
  using client = openClient(server.origin);
  const threads = Array.from({ length: 1001 }, (_, index) => ({ threadId: `thread-${index}` }));
  await sendAll(client, [...threads, { threadId: "thread-1" }, { threadId: "thread-0" }]);
  expect(server.requests.slice(-2).map(({ headers }) => headers[state] ?? null)).toEqual(["a", null]);
});

test("a configured header of the same name wins", async () => {
  await using server = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin, { provider: { headers: { "Session-Id": "mine" } } });
  await sendAll(client, [{}]);
  expect(pickIds(server.requests)).toEqual([{ ...ids, "session-id": "mine" }]);
});

test.for(["hyphen", "both", "none"] as const)("a client of openai tells the thread as ours does: %s", async (style) => {
  const turns: Script["turns"] = [{ items: [{ text: "Hi" }], headers: { [state]: "a" }, repeat: 2 }];
  const options = { script: { turns, checks: { fields: false } } };
  await using theirs = await startScriptedModel(options);
  const client = new OpenAI({ baseURL: theirs.url, apiKey: "none" });
  const body = [new TextEncoder().encode('{"model":"m","stream":true,"input":[]}')];
  const settings: { readonly threadHeaders: ThreadHeaders } = { threadHeaders: style };
  await sendAll(fromOpenAI(client, settings), [{ chunks: body }, { chunks: body }]);
  await using ours = await startScriptedModel(options);
  using own = openClient("", { provider: { baseUrl: ours.url, ...settings } });
  await sendAll(own, [{ chunks: body }, { chunks: body }]);
  expect(pickIds(theirs.requests)).toEqual(pickIds(ours.requests));
});
