import { setImmediate as nextTick } from "node:timers/promises";
import { forEach } from "@unroll/flow";
import { expect, test } from "vitest";
import {
  type Answer,
  completed,
  created,
  delta,
  openStream,
  startFaultServer,
  stream,
  toSse,
  whole,
} from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

const done = { type: "completed", responseId: "resp_1", usage: null };

test("the events come in order; the last one is the outcome, with the usage of the server", async () => {
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 15,
  };
  const reasoning = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "…" }] };
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "shell", arguments: "…" };
  const message = { id: "msg_1", type: "message", role: "assistant", content: [{ type: "output_text", text: "…" }] };
  const toDelta = (kind: string, item_id: string, output_index: number) => ({
    type: `response.${kind}.delta`,
    item_id,
    output_index,
    delta: "…",
    sequence_number: 7,
  });
  const sent = [
    { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs_1" } },
    { type: "response.reasoning_summary_part.added", item_id: "rs_1", output_index: 0, summary_index: 0 },
    toDelta("reasoning_summary_text", "rs_1", 0),
    { type: "response.output_item.done", output_index: 0, item: reasoning },
    { type: "response.output_item.added", output_index: 1, item: { type: "function_call", id: "fc_1", name: "shell" } },
    toDelta("function_call_arguments", "fc_1", 1),
    { type: "response.output_item.done", output_index: 1, item: call },
    { type: "response.output_item.added", output_index: 2, item: { type: "message", id: "msg_1" } },
    toDelta("output_text", "msg_1", 2),
    { type: "response.output_item.done", output_index: 2, item: message },
  ];
  await using server = await startFaultServer([
    stream(created, ...sent, { type: "response.completed", response: { id: "resp_1", object: "response", usage } }),
  ]);
  using client = openClient(server.origin);
  expect(await collect(client.stream(request, never))).toEqual({
    events: sent,
    outcome: { type: "completed", responseId: "resp_1", usage },
  });
  expect(client.clock.slept).toEqual([]);
});

test("deltas that arrive together are one event as far as they continue each other, in their order", async () => {
  const other = { ...delta("d"), item_id: "msg_2", output_index: 1 };
  const reason = { type: "response.reasoning_text.delta", item_id: "rs_3", output_index: 2, delta: "e" };
  const added = {
    type: "response.output_item.added",
    output_index: 3,
    item: { type: "function_call", id: "fc_1", name: "shell" },
  };
  await using server = await startFaultServer([
    stream(delta("Grü"), delta("ße, "), delta("世界"), other, reason, reason, added, delta("f"), delta(""), completed),
  ]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events.slice(0, 5)).toEqual([delta("Grüße, 世界"), other, { ...reason, delta: "ee" }, added, delta("f")]);
  expect(outcome).toEqual(done);
});

test("with a gap, text is given no more often, and nothing else waits", async () => {
  const next = Promise.withResolvers<void>();
  const answer: Answer = (response) => {
    openStream(delta("a"))(response);
    void next.promise.then(() => response.end(toSse([delta("b"), delta("c"), whole("abc"), completed])));
  };
  await using server = await startFaultServer([answer]);
  using client = openClient(server.origin, { deltaGapMs: 50 });
  const events: unknown[] = [];
  const outcome = await forEach(client.stream(request, never), (event) => {
    events.push(event);
    next.resolve();
  });
  expect({ events, outcome }).toEqual({
    events: [delta("a"), delta("bc"), whole("abc")],
    outcome: done,
  });
  expect(client.clock.slept).toEqual([50]);
});

test("behind text that nobody can read so fast, the gap is twice as long", async () => {
  const next = Promise.withResolvers<void>();
  const fast = Array.from({ length: 100 }, () => delta("w"));
  const answer: Answer = (response) => {
    openStream(...fast)(response);
    void next.promise.then(() => response.end(toSse([delta("b"), completed])));
  };
  await using server = await startFaultServer([answer]);
  using client = openClient(server.origin, { deltaGapMs: 50 });
  let text = "";
  await forEach(client.stream(request, never), (event) => {
    if ("delta" in event) text += event.delta;
    next.resolve();
  });
  expect([text, client.clock.slept]).toEqual([`${"w".repeat(100)}b`, [100]]);
});

test("comments are ignored; unknown events, data that is not JSON and malformed deltas are ignored with one warning", async () => {
  await using server = await startFaultServer([
    stream(
      ": keep-alive\n\n",
      'data: {"type":"response.output_text.delta","item_id":"m"\n\n',
      { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: 5 },
      { type: "response.new_event", output_index: 0 },
      "data: null\n\nretry: 5\nid: 7\nnonsense\n\n",
      delta("kept"),
      completed,
    ),
  ]);
  using client = openClient(server.origin);
  const { host } = new URL(server.origin);
  const types =
    "data that is not an event (2), response.output_text.delta (1), response.new_event (1). Skipped; this thread shows each type once.";
  const message = `${host} sent 4 events that unroll cannot read: ${types}`;
  const events = [delta("kept"), whole("kept")];
  expect(await collect(client.stream(request, never))).toEqual({
    events: [...events, { type: "stream.warning", message }],
    outcome: done,
  });
  expect(await collect(client.stream(request, never))).toEqual({ events, outcome: done });
});

test("an item keeps every field in its order; one of an unknown type, or with an unknown part, its bytes", async () => {
  const known = { zeta: 1, type: "function_call", name: "shell", status: "completed", call_id: "c", arguments: "{}" };
  const strange = String.raw`{ "type":"message" ,"role":"assistant","content":[{"type":"output_audio","x":"\u00e9\"}"}], "n":1.0e2}`;
  await using server = await startFaultServer([
    stream(
      { type: "response.output_item.done", output_index: 0, item: known },
      `data: {"type":"response.output_item.done","output_index":1,"item":${strange},"sequence_number":4}\n\n`,
      `data: {"type":"response.output_item.done","output_index":2,"item":{"type":"unknown"}}\n\n`,
      completed,
    ),
  ]);
  using client = openClient(server.origin);
  const { events } = await collect(client.stream(request, never));
  expect(events).toEqual([
    { type: "response.output_item.done", output_index: 0, item: known },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: { type: "unknown", itemType: "message", json: strange },
    },
    {
      type: "response.output_item.done",
      output_index: 2,
      item: { type: "unknown", itemType: "unknown", json: '{"type":"unknown"}' },
    },
  ]);
  expect(JSON.stringify(events[0])).toContain(JSON.stringify(known));
});

test("the outcome comes with the last event, though the server never ends the answer; then the connection is closed", async () => {
  await using server = await startFaultServer([openStream(delta("a"), completed)]);
  using client = openClient(server.origin);
  expect(await collect(client.stream(request, never))).toEqual({ events: [delta("a"), whole("a")], outcome: done });
  await client.clock.expire(1000);
  await server.allClosed();
});

test("a connection whose answer ended is used again", async () => {
  const endLater = (response: Parameters<ReturnType<typeof stream>>[0]): void => {
    openStream(completed)(response);
    setImmediate(() => response.end());
  };
  await using server = await startFaultServer([endLater, stream(completed)]);
  using client = openClient(server.origin);
  for (let turn = 0; turn < 3; turn++) {
    expect((await collect(client.stream(request, never))).outcome).toEqual(done);
    while (client.clock.armed > 0) await nextTick();
  }
  expect(server.accepted).toBe(1);
});

test("a kept connection that the server has closed meanwhile is replaced, and no retry is counted", async () => {
  const dropNext = (response: Parameters<ReturnType<typeof stream>>[0]): void => {
    const { socket } = response;
    stream(completed)(response);
    socket?.once("data", () => socket.resetAndDestroy());
  };
  await using server = await startFaultServer([dropNext, stream(completed)]);
  using client = openClient(server.origin);
  await collect(client.stream(request, never));
  while (client.clock.armed > 0) await nextTick();
  expect(await collect(client.stream(request, never))).toEqual({ events: [], outcome: done });
  expect(server.accepted).toBe(2);
});

test("a consumer that leaves early closes the connection", async () => {
  await using server = await startFaultServer([openStream(delta("a"), { ...delta("b"), item_id: "msg_2" })]);
  using client = openClient(server.origin);
  for await (const event of client.stream(request, never)) {
    expect(event).toEqual(delta("a"));
    break;
  }
  await server.allClosed();
  expect(client.clock.armed).toBe(0);
});

test("an abort before the answer ends the request at once", async () => {
  const abort = new AbortController();
  await using server = await startFaultServer([() => abort.abort()]);
  using client = openClient(server.origin);
  expect(await collect(client.stream(request, abort.signal))).toEqual({ events: [], outcome: { type: "aborted" } });
  await server.allClosed();
  expect(client.clock.armed).toBe(0);
});

test("an abort in the answer ends the request at once", async () => {
  const abort = new AbortController();
  await using server = await startFaultServer([openStream(delta("a"))]);
  using client = openClient(server.origin);
  const events = client.stream(request, abort.signal);
  expect(await events.next()).toEqual({ done: false, value: delta("a") });
  const next = events.next();
  abort.abort();
  expect(await next).toEqual({ done: true, value: { type: "aborted" } });
  await server.allClosed();
  expect(client.clock.armed).toBe(0);
});

test("an abort before the request sends nothing", async () => {
  await using server = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin);
  expect(await collect(client.stream(request, AbortSignal.abort()))).toEqual({
    events: [],
    outcome: { type: "aborted" },
  });
  expect(server.accepted).toBe(0);
});

test("an abort ends the wait before a retry, and nothing is sent any more", async () => {
  const abort = new AbortController();
  await using server = await startFaultServer([(response) => response.writeHead(503).end()]);
  const sleeps: AbortSignal[] = [];
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    setTimer: () => () => {},
    sleep: async (_: number, signal: AbortSignal) => {
      sleeps.push(signal);
      abort.abort();
    },
  };
  using client = openClient(server.origin, { clock });
  const { events, outcome } = await collect(client.stream(request, abort.signal));
  expect(events).toMatchObject([{ type: "stream.retrying", attempt: 1 }]);
  expect(outcome).toEqual({ type: "aborted" });
  expect(sleeps).toEqual([abort.signal]);
  expect(server.requests.length).toBe(1);
});

test("an event as large as an image comes whole", async () => {
  const item = { type: "image_generation_call", id: "ig_1", result: "A".repeat(3_000_000) };
  await using server = await startFaultServer([
    stream({ type: "response.output_item.done", output_index: 0, item }, completed),
  ]);
  using client = openClient(server.origin);
  const { events } = await collect(client.stream(request, never));
  expect(events).toEqual([
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "unknown", itemType: "image_generation_call", json: JSON.stringify(item) },
    },
  ]);
});

test("events that follow the last one are not read", async () => {
  await using server = await startFaultServer([
    (response) => response.writeHead(200).end(toSse([delta("a"), completed, delta("b")])),
  ]);
  using client = openClient(server.origin);
  expect(await collect(client.stream(request, never))).toEqual({ events: [delta("a"), whole("a")], outcome: done });
});

test("what came before the connection broke still counts, the last event too", async () => {
  const [broken, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using server = await startFaultServer([
    (response) => {
      openStream(delta("a"))(response);
      response.socket?.once("close", broken.resolve);
      void taken.promise.then(() => response.write(toSse([delta("b"), completed]), () => response.destroy()));
    },
  ]);
  using client = openClient(server.origin);
  const events = client.stream(request, never);
  expect(await events.next()).toEqual({ done: false, value: delta("a") });
  taken.resolve();
  await broken.promise;
  await nextTick();
  expect(await collect(events)).toEqual({ events: [delta("b"), whole("ab")], outcome: done });
});
