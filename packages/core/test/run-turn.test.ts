import { runTurn } from "@unroll/core";
import { renderCutResponse } from "@unroll/prompt";
import {
  type ModelStreamEvent,
  noTokenUsage,
  type ResponseItem,
  type StreamOutcome,
  type ThreadEvent,
} from "@unroll/protocol";
import { expect, test } from "vitest";
import {
  answer,
  begun,
  call,
  createFakeModel,
  createFakeThread,
  createFakeTools,
  runToEnd,
  said,
  stream,
  user,
} from "./fake-ports.ts";

const oneRequest = {
  input_tokens: 10,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 3,
  reasoning_output_tokens: 0,
};
const cache = {
  prefix_bytes: expect.any(Number),
  shared_bytes: 0,
  shared_tokens: 0,
  cached_tokens: null,
  cache_write_tokens: null,
  idle_ms: null,
  miss: null,
};
const twoRequests = { ...oneRequest, input_tokens: 20, output_tokens: 6 };

test("a turn without tool calls is one request, one message and one terminal event", async () => {
  const thread = createFakeThread(createFakeModel([answer(said("Hello."))]));
  const { events, outcome } = await runToEnd(thread, "Hi");
  expect(events).toEqual([
    ...begun,
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello." } },
    { type: "request.completed", response_id: "resp_1", usage: oneRequest, cache },
    { type: "turn.completed", usage: oneRequest, thread_usage: oneRequest },
  ]);
  expect(outcome).toEqual({ type: "completed", finalMessage: "Hello.", usage: oneRequest });
});

test("outputs follow all calls of their response, in call order, and the model is asked again", async () => {
  const model = createFakeModel([answer(call("a"), call("b")), answer(said("Done."))]);
  const thread = createFakeThread(model);
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toEqual({ type: "completed", finalMessage: "Done.", usage: twoRequests });
  expect(
    thread.ports.state.transcript.items.map((item) => ("call_id" in item ? `${item.type} ${item.call_id}` : item.type)),
  ).toEqual([
    "message",
    "function_call a",
    "function_call b",
    "function_call_output a",
    "function_call_output b",
    "message",
  ]);
});

test("a request body is stateless, in one fixed order, with the varying settings behind the input", async () => {
  const model = createFakeModel([answer(said("Hello."))]);
  await runToEnd(createFakeThread(model), "Hi");
  expect(model.bodies).toEqual([
    '{"model":"test-model","instructions":"Be brief.","tools":[],"tool_choice":"auto","parallel_tool_calls":true,' +
      '"store":false,"stream":true,"include":["reasoning.encrypted_content"],"prompt_cache_key":"thread-1",' +
      '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]}',
  ]);
});

test("a turn's settings are written behind the input and leave the prefix as it is", async () => {
  const model = createFakeModel([answer(said("{}"))]);
  const { ports } = createFakeThread(model);
  const request = {
    reasoning: { effort: "high", summary: "auto" },
    verbosity: "low",
    outputSchema: { type: "object" },
  } as const;
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => request };
  for await (const _ of runTurn(ports, [user("Hi")], options));
  expect(model.bodies[0]?.split('"text":"Hi"}]}')[1]).toBe(
    '],"reasoning":{"effort":"high","summary":"auto"},"text":{"verbosity":"low",' +
      '"format":{"type":"json_schema","name":"answer","strict":true,"schema":{"type":"object"}}}}',
  );
});

test("a retried stream shows and records its items once and reports the retry", async () => {
  async function* cutThenWhole(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    yield { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "Hel" };
    yield { type: "response.output_item.done", output_index: 0, item: said("Hel") };
    const cause = { code: "stream_cut", message: "The stream was cut.", retryable: true };
    yield { type: "stream.retrying", attempt: 1, maxAttempts: 5, delayMs: 200, cause };
    yield { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "Hello." };
    return yield* stream([said("Hello.")]);
  }
  const thread = createFakeThread(createFakeModel([cutThenWhole]));
  const { events } = await runToEnd(thread, "Hi");
  expect(events).toEqual([
    ...begun,
    { type: "item.delta", item_id: "item_0", kind: "agent_message", delta: "Hel" },
    {
      type: "stream.retrying",
      attempt: 1,
      max_attempts: 5,
      delay_ms: 200,
      cause: { code: "stream_cut", message: "The stream was cut." },
    },
    { type: "item.delta", item_id: "item_0", kind: "agent_message", delta: "Hello." },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello." } },
    { type: "request.completed", response_id: "resp_1", usage: oneRequest, cache },
    { type: "turn.completed", usage: oneRequest, thread_usage: oneRequest },
  ]);
  expect(thread.ports.state.transcript.items).toEqual([user("Hi"), said("Hello.")]);
});

test("reasoning summaries stream live, parts apart by a blank line", async () => {
  async function* thinking(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    const at = { item_id: "r", output_index: 0 };
    yield { type: "response.reasoning_summary_part.added", ...at, summary_index: 0 };
    yield { type: "response.reasoning_summary_text.delta", ...at, delta: "First" };
    yield { type: "response.reasoning_summary_part.added", ...at, summary_index: 1 };
    yield { type: "response.reasoning_summary_text.delta", ...at, delta: "Second" };
    const summary = [
      { type: "summary_text", text: "First" },
      { type: "summary_text", text: "Second" },
    ] as const;
    return yield* stream([{ type: "reasoning", summary, encrypted_content: "opaque" }]);
  }
  const { events } = await runToEnd(createFakeThread(createFakeModel([thinking])), "Hi");
  expect(events.slice(3, 7)).toEqual([
    { type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "First" },
    { type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "\n\n" },
    { type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "Second" },
    { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "First\n\nSecond" } },
  ]);
});

test("a failed stream fails the turn and leaves nothing of its response behind", async () => {
  async function* fails(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    yield { type: "response.output_item.done", output_index: 0, item: call("a") };
    return { type: "failed", error: { code: "stream_cut", message: "The stream was cut.", retryable: true } };
  }
  const thread = createFakeThread(createFakeModel([fails]));
  const { outcome } = await runToEnd(thread, "Hi");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "stream_cut", message: "The stream was cut." } });
  expect(thread.ports.state.transcript.items).toEqual([user("Hi")]);
});

test("an answer that is interrupted is kept and shown as far as it came, marked", async () => {
  const controller = new AbortController();
  async function* speaking(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    const item = { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] } as const;
    yield { type: "response.reasoning_summary_text.delta", item_id: "r", output_index: 0, delta: "Hm." };
    yield { type: "response.output_item.done", output_index: 0, item };
    yield { type: "response.output_text.delta", item_id: "m", output_index: 1, delta: "It is " };
    yield { type: "response.output_text.delta", item_id: "m", output_index: 1, delta: "be" };
    yield { type: "response.output_item.done", output_index: 2, item: { type: "web_search_call", status: "failed" } };
    yield { type: "response.reasoning_text.delta", item_id: "s", output_index: 3, delta: "So" };
    controller.abort();
    return { type: "aborted" };
  }
  const thread = createFakeThread(createFakeModel([speaking]));
  const { events, outcome } = await runToEnd(thread, "Hi", controller.signal);
  expect(outcome.type).toBe("interrupted");
  const search = { id: "item_2", type: "web_search", query: "", action: null };
  expect(events.filter(({ type }) => type === "item.started" || type === "item.completed")).toEqual([
    { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Hm." } },
    { type: "item.started", item: { ...search, status: "in_progress" } },
    { type: "item.completed", item: { ...search, status: "failed" } },
    { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "It is be", cut: "interrupted" } },
    { type: "item.completed", item: { id: "item_3", type: "reasoning", text: "So", cut: "interrupted" } },
  ]);
  const { id: _, ...kept } = said("It is be");
  expect(thread.ports.state.transcript.items.slice(0, 2)).toEqual([user("Hi"), kept]);
  expect(JSON.stringify(thread.ports.state.transcript.items.at(-1))).toContain("turn_interrupted");
});

test("an answer that its server ends too early is kept and marked, its calls are seen only, and the turn fails", async () => {
  async function* tooLong(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    yield { type: "response.output_item.done", output_index: 0, item: said("First part.") };
    yield { type: "response.output_item.done", output_index: 1, item: call("a") };
    yield { type: "response.output_text.delta", item_id: "m", output_index: 2, delta: "Second" };
    return { type: "failed", error: { code: "incomplete", message: "Too long.", retryable: false } };
  }
  const thread = createFakeThread(createFakeModel([tooLong]));
  const { events, outcome } = await runToEnd(thread, "Hi");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "incomplete", message: "Too long." } });
  expect(events.slice(4, -1)).toEqual([
    { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "First part." } },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Second", cut: "incomplete" } },
    { type: "item.completed", item: { id: "item_2", type: "error", message: "echo" } },
  ]);
  const { id: _, ...second } = said("Second");
  expect(thread.ports.state.transcript.items).toEqual([user("Hi"), said("First part."), second, renderCutResponse()]);
});

test("an item that the server completes and calls incomplete is shown as cut", async () => {
  const half = { ...said("The begin"), status: "incomplete" };
  const thoughts = {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "Hm" }],
    status: "incomplete",
  } as const;
  async function* tooLong(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    yield { type: "response.output_item.done", output_index: 0, item: thoughts };
    yield { type: "response.output_item.done", output_index: 1, item: half };
    return { type: "failed", error: { code: "incomplete", message: "Too long.", retryable: false } };
  }
  const thread = createFakeThread(createFakeModel([tooLong]));
  const { events } = await runToEnd(thread, "Hi");
  expect(events.filter(({ type }) => type === "item.completed")).toEqual([
    { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Hm", cut: "incomplete" } },
    { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "The begin", cut: "incomplete" } },
  ]);
  expect(thread.ports.state.transcript.items).toEqual([user("Hi"), half, renderCutResponse()]);
});

test("a search of the provider's is started and completed in its place, with the address of a page that it opened", async () => {
  const action = { type: "open_page", url: "https://example.org/" };
  const thread = createFakeThread(createFakeModel([answer({ type: "web_search_call", action }, said("Done."))]));
  const { events } = await runToEnd(thread, "Hi");
  const item = { id: "item_0", type: "web_search", query: action.url, action, status: "completed" };
  expect(events.filter(({ type }) => type.startsWith("item."))).toEqual([
    { type: "item.started", item: { ...item, status: "in_progress" } },
    { type: "item.completed", item },
    { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Done." } },
  ]);
});

test("an answer that the caller's check refuses is asked for again, and then fails the turn", async () => {
  const { ports } = createFakeThread(createFakeModel([answer(said("Not JSON.")), answer(said("No."))]));
  const error = { code: "schema_mismatch", message: "Not JSON." };
  const options = {
    turnId: "turn-1",
    signal: new AbortController().signal,
    request: () => ({}),
    answer: { check: () => error, repairs: 1 },
  };
  const events: ThreadEvent[] = [];
  for await (const event of runTurn(ports, [user("Hi")], options)) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "turn.failed", error });
  expect(events).toContainEqual({ type: "warning", message: "Not JSON. Asking again (1 of 1)." });
});

test("a call id that the model uses again gets one of its own, so that each call has its output", async () => {
  const model = createFakeModel([answer(call("a"), call("a")), answer(call("a")), answer(said("Done."))]);
  const thread = createFakeThread(model);
  expect((await runToEnd(thread, "Hi")).outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const outputs = thread.ports.state.transcript.items.filter((item) => item.type === "function_call_output");
  expect(outputs.map((item) => item.call_id)).toEqual(["a", "a_2", "a_3"]);
});

test("an output that the model makes up fails the turn, what else came is seen, and the transcript stays valid", async () => {
  const madeUp = { type: "function_call_output", call_id: "none", output: "made up" } as const;
  const thread = createFakeThread(createFakeModel([answer({ type: "web_search_call" }, madeUp, call("a"))]));
  const { events, outcome } = await runToEnd(thread, "Hi");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "invalid_answer" } });
  const seen = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
  expect(seen).toMatchObject([
    { type: "web_search", status: "completed" },
    { type: "error", message: "echo" },
  ]);
  expect(thread.ports.state.transcript.items).toEqual([user("Hi")]);
});

test("a consumer that walks away with the answer in hand leaves it in the transcript", async () => {
  const { ports } = createFakeThread(createFakeModel([answer(said("Hello."))]));
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  for await (const event of runTurn(ports, [user("Hi")], options)) {
    if (event.type === "item.completed") break;
  }
  expect(ports.state.transcript.items[1]).toEqual(said("Hello."));
});

test("an interruption while tools run keeps their outputs, notes itself and ends the turn as failed", async () => {
  const controller = new AbortController();
  const tools = createFakeTools(() => controller.abort());
  const thread = createFakeThread(createFakeModel([answer(call("a"))]), { tools });
  const { events, outcome } = await runToEnd(thread, "Hi", controller.signal);
  expect(outcome).toEqual({ type: "interrupted", usage: oneRequest });
  expect(events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "interrupted" } });
  expect(thread.ports.state.transcript.items.map((item) => item.type)).toEqual([
    "message",
    "function_call",
    "function_call_output",
    "message",
  ]);
});

test("a consumer that walks away while tools run leaves no call without an output", async () => {
  const { ports } = createFakeThread(createFakeModel([answer(call("a"), call("b"))]));
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  for await (const event of runTurn(ports, [user("Hi")], options)) {
    if (event.type === "item.completed") break;
  }
  expect(ports.state.transcript.openCalls).toEqual([]);
  expect(ports.state.transcript.items.filter((item) => item.type === "function_call_output")).toHaveLength(2);
});

test("if a consumer leaves at once, the message stays in the transcript, and `onLeft` gets the turn's end", async () => {
  const told: ThreadEvent[] = [];
  const { ports } = createFakeThread(createFakeModel([]));
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  for await (const _ of runTurn({ ...ports, onLeft: (events) => told.push(...events) }, [user("Hi")], options)) break;
  expect(ports.state.transcript.items[0]).toEqual(user("Hi"));
  expect(told).toMatchObject([{ type: "turn.failed", error: { code: "interrupted" } }]);
});

test("tools that fail at the end of a turn do not keep it from its end", async () => {
  const tools = {
    ...createFakeTools(),
    endTurn: () => {
      throw new Error("no end");
    },
  };
  const { ports } = createFakeThread(createFakeModel([answer(said("Hello."))]), { tools });
  const events: string[] = [];
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  const run = async (): Promise<void> => {
    for await (const event of runTurn(ports, [user("Hi")], options)) events.push(event.type);
  };
  await expect(run()).rejects.toThrow("no end");
  expect(events.at(-1)).toBe("turn.completed");
});

test("news goes in front of the next request, and makes none of its own", async () => {
  const model = createFakeModel([answer(call("a")), answer(said("Done."))]);
  const { ports } = createFakeThread(model);
  let count = 0;
  const takePending = (): readonly ResponseItem[] => [user(`news ${++count}`)];
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  for await (const _ of runTurn({ ...ports, takePending }, [user("Hi")], options));
  expect(model.bodies).toHaveLength(2);
  expect(model.bodies[0]).toContain("news 1");
  expect(model.bodies[1]).toContain("news 2");
});

test("a consumer that walks away in mid-stream closes the model's stream", async () => {
  let closed = false;
  async function* endless(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    try {
      for (;;) yield { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "x" };
    } finally {
      closed = true;
    }
  }
  const { ports } = createFakeThread(createFakeModel([endless]));
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  for await (const event of runTurn(ports, [user("Hi")], options)) {
    if (event.type === "item.delta") break;
  }
  expect(closed).toBe(true);
});

test("what a user sends during a turn goes into the next request, also after the last answer", async () => {
  const model = createFakeModel([answer(call("a")), answer(said("First.")), answer(said("Second."))]);
  const tools = createFakeTools(() => thread.ports.state.inbox.put([user("also this")]));
  const thread = createFakeThread(model, { tools });
  const original = thread.ports.model.stream.bind(model);
  model.stream = (request, signal) => {
    if (model.bodies.length === 1) thread.ports.state.inbox.put([user("and that")]);
    return original(request, signal);
  };
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Second." });
  expect(model.bodies[1]).toContain("also this");
  expect(model.bodies[2]).toContain("and that");
});

test("what waits since an interruption comes before the next message, in order", async () => {
  const controller = new AbortController();
  const tools = createFakeTools(() => {
    thread.ports.state.inbox.put([user("one")]);
    thread.ports.state.inbox.put([user("two")]);
    controller.abort();
  });
  const model = createFakeModel([answer(call("a")), answer(said("Done."))]);
  const thread = createFakeThread(model, { tools });
  await runToEnd(thread, "Go", controller.signal);
  await runToEnd(thread, "three");
  expect(thread.ports.state.transcript.items.slice(-4)).toEqual([
    user("one"),
    user("two"),
    user("three"),
    said("Done."),
  ]);
});

test("a bug in a port ends the turn with a terminal event and is thrown on", async () => {
  const thread = createFakeThread(createFakeModel([]));
  const events: string[] = [];
  const options = { turnId: "turn-1", signal: new AbortController().signal, request: () => ({}) };
  const run = async (): Promise<void> => {
    for await (const event of runTurn(thread.ports, [user("Hi")], options)) events.push(event.type);
  };
  await expect(run()).rejects.toThrow("The fake model has no answer 1.");
  expect(events).toEqual(["turn.started", "input.received", "request.started", "turn.failed"]);
  expect(thread.ports.state.transcript.items).toEqual([user("Hi")]);
});

test.for([[], [{ type: "reasoning", summary: [] }]] as const)("an empty answer gets a warning: %j", async (items) => {
  const { events, outcome } = await runToEnd(createFakeThread(createFakeModel([answer(...items)])), "Hi");
  expect(events).toContainEqual({ type: "warning", message: "The model's answer was empty." });
  expect(outcome).toMatchObject({ type: "completed", finalMessage: null });
});

test("a turn whose server sends no usage counts nothing", async () => {
  async function* silent(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    yield* stream([said("Hello.")]);
    return { type: "completed", responseId: "resp_1", usage: null };
  }
  const { events } = await runToEnd(createFakeThread(createFakeModel([silent])), "Hi");
  expect(events.slice(-2)).toEqual([
    { type: "request.completed", response_id: "resp_1", usage: null, cache },
    { type: "turn.completed", usage: noTokenUsage, thread_usage: noTokenUsage },
  ]);
});
