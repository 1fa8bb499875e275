import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { type JsonObject, type ScriptedModel, startDemoModel, startScriptedModel, type Turn } from "../src/index.ts";
import { body, call, output, post, readEvents, user } from "./post.ts";

// The cases of the public suite for servers of this API (by name: conformance/open-responses), and similar ones.

/** The members that a response object must have, by the published schema. */
const members =
  `id object created_at completed_at status incomplete_details model previous_response_id instructions output
  error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature
  reasoning user usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier
  prompt_cache_key`.split(/\s+/);
const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { location: { type: "string" } }, required: ["location"] },
};
const heart = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };

test.for<readonly [string, JsonObject, string]>([
  ["one message", { input: [{ type: "message", role: "user", content: "Say hello." }] }, "message"],
  ["a text as its input", { input: "Say hello." }, "message"],
  ["a system message", { input: [{ role: "system", content: "Arr." }, user("Say hello.")] }, "message"],
  ["a tool", { input: [user("How is the weather?")], tools: [weather] }, "function_call"],
  [
    "a message that says which phase it is of",
    { input: [{ type: "message", role: "assistant", phase: "commentary", content: "First, I look." }, user("Go on.")] },
    "message",
  ],
  ["an image", { input: [{ type: "message", role: "user", content: [heart] }] }, "message"],
  [
    "a conversation",
    {
      input: [user("I am Alice."), { type: "message", role: "assistant", content: "Hello Alice." }, user("And I am?")],
    },
    "message",
  ],
])("a request with %s gets a whole response, streamed or not", async ([, request, type]) => {
  await using model = await startDemoModel();
  const reply = await post(model, { model: "m", ...request });
  const response = JSON.parse(reply.text) as JsonObject;
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(members.filter((member) => !(member in response))).toEqual([]);
  expect(response).toMatchObject({ object: "response", status: "completed", output: [{ type }] });

  const streamed = await post(model, { model: "m", ...request, stream: true });
  const last = readEvents(streamed.text).at(-1);
  const changing = {
    id: expect.any(String) as string,
    output: expect.any(Array) as unknown[],
    usage: expect.anything() as unknown,
    // in whole seconds, and the two requests may lie in two of them
    created_at: expect.any(Number) as number,
    completed_at: expect.any(Number) as number,
  };
  expect(last).toMatchObject({ type: "response.completed", response: { ...response, ...changing } });
  expect([reply.headers.get("x-request-id"), streamed.headers.get("x-request-id")]).toEqual(["req_1", "req_2"]);
});

test("a response lists each tool with all fields that the server adds", async () => {
  await using model = await startDemoModel();
  const { text } = await post(model, { model: "m", input: "Hi", tools: [weather, { type: "web_search" }] });
  expect(JSON.parse(text)).toMatchObject({
    tools: [{ ...weather, description: null, strict: true }, { type: "web_search" }],
  });
});

test("the demo calls a program's own tool, says what came back, and answers by a schema", async () => {
  await using model = await startDemoModel();
  const format = { type: "json_schema", name: "n", schema: { type: "object", properties: { n: { type: "integer" } } } };
  const asked = { model: "m", tools: [weather], input: [user("How is the weather?")] };
  const called = JSON.parse((await post(model, asked)).text) as { output: readonly JsonObject[] };
  expect(called.output).toMatchObject([{ name: "get_weather", arguments: '{"location":"sample"}' }]);
  const result = { ...output(String(called.output[0]?.["call_id"])), output: "sunny" };
  const told = await post(model, { ...asked, input: [...asked.input, ...called.output, result] });
  expect(told.text).toContain("sunny");
  expect((await post(model, { ...asked, text: { format }, tools: [] })).text).toContain(String.raw`{\"n\":1}`);
  expect((await post(model, { ...asked, tool_choice: "none" })).text).not.toContain("function_call");
});

test("a response that failed, was cut off or never ends is reported without a stream, too", async () => {
  const failed = { code: "server_error", message: "Oh no." };
  const turns: readonly Turn[] = [
    { items: [], end: { failed } },
    { items: [{ text: "Hi" }], end: { incomplete: "max_output_tokens" } },
    { items: [], end: "none" },
    { events: [{ type: "response.completed", response: { id: "mine" } }] },
  ];
  await using model = await startScriptedModel({ script: { turns, checks: { fields: false } } });
  const ask = async () => await post(model, body([user("Hi")], { stream: false }));
  const replies = [await ask(), await ask(), await ask(), await ask()];
  expect(replies.map(({ status, text }) => [status, JSON.parse(text) as unknown])).toEqual([
    [200, expect.objectContaining({ status: "failed", error: failed })],
    [200, expect.objectContaining({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } })],
    [500, { error: expect.objectContaining({ code: "no_response" }) as unknown }],
    [200, { id: "mine" }],
  ]);
});

test("a conversation is compacted to an item; without a model the request is refused", async () => {
  await using model = await startDemoModel();
  const input = [user("We launch on Tuesday."), { type: "message", role: "assistant", content: "Tuesday it is." }];
  const compacted = await post(model, { model: "m", prompt_cache_key: "k", input }, "/responses/compact");
  expect(JSON.parse(compacted.text)).toMatchObject({
    id: expect.any(String) as string,
    object: "response.compaction",
    output: [{ type: "compaction", encrypted_content: expect.any(String) as string }],
  });
  expect(await post(model, { input }, "/responses/compact")).toMatchObject({
    status: 400,
    text: expect.stringContaining("model must be a string") as string,
  });
});

test("input tokens are counted as a response would count them", async () => {
  await using model = await startDemoModel();
  const request = { model: "m", instructions: "Be kind.", input: [user("Hi")] };
  const counted = JSON.parse((await post(model, request, "/responses/input_tokens")).text) as JsonObject;
  const { usage } = JSON.parse((await post(model, request)).text) as { usage: JsonObject };
  expect(counted).toEqual({ object: "response.input_tokens", input_tokens: usage["input_tokens"] });
  expect((await post(model, "{", "/responses/input_tokens")).status).toBe(400);
});

const create = { type: "response.create", model: "m", store: false };

test("a WebSocket serves one response after the other, and a response continues the last one", async () => {
  await using model = await startDemoModel();
  const ask = await open(model);
  const first = await ask({ ...create, input: "run: echo one" });
  const unrelated = await ask({ ...create, input: "Say: second" });
  const other = await ask({ ...create, input: "Say: third", previous_response_id: unrelated.id });
  expect([first.status, unrelated.status, other.status]).toEqual(["completed", "completed", "completed"]);
  expect(other.response?.["previous_response_id"]).toBe(unrelated.id);
  expect(model.requests[2]?.input).toEqual([
    { type: "message", role: "user", content: "Say: second" },
    ...outputOf(unrelated),
    { type: "message", role: "user", content: "Say: third" },
  ]);
  expect(members.filter((member) => !(member in (other.response ?? {})))).toEqual([]);
});

test("a request with `generate: false` does not reach the model, and the next one continues its response", async () => {
  await using model = await startDemoModel();
  const ask = await open(model);
  const warm = await ask({ ...create, generate: false, input: "The word is cobalt." });
  expect([warm.status, outputOf(warm), model.requests.length]).toEqual(["completed", [], 0]);
  const next = await ask({ ...create, previous_response_id: warm.id, input: "Say: it" });
  expect([next.status, next.response?.["previous_response_id"]]).toEqual(["completed", warm.id]);
  expect(model.requests[0]?.input).toEqual([
    { type: "message", role: "user", content: "The word is cobalt." },
    { type: "message", role: "user", content: "Say: it" },
  ]);
});

test("another connection does not know the response, and can start from scratch", async () => {
  await using model = await startDemoModel();
  const { id } = await (await open(model))({ ...create, input: "Hi" });
  const ask = await open(model);
  expect((await ask({ ...create, previous_response_id: id, input: "Go on" })).error).toMatchObject({
    status: 400,
    error: { code: "previous_response_not_found" },
  });
  expect((await ask({ ...create, input: "Begin anew" })).status).toBe("completed");
});

test("a request that continues a response and fails removes that response", async () => {
  await using model = await startDemoModel();
  const ask = await open(model);
  const { id } = await ask({ ...create, input: "Hi" });
  const failed = await ask({ ...create, previous_response_id: id, input: [output("call_nobody_made")] });
  const retried = await ask({ ...create, previous_response_id: id, input: "Go on" });
  expect([failed.error?.["error"], retried.error?.["error"]]).toMatchObject([
    { code: "call_outputs" },
    { code: "previous_response_not_found" },
  ]);
});

test("a response that nobody made is not found; a tool is called; a compacted input begins a new chain", async () => {
  await using model = await startDemoModel();
  const ask = await open(model);
  expect((await ask({ ...create, previous_response_id: "resp_nobody", input: "Hi" })).error).toMatchObject({
    error: { code: "previous_response_not_found" },
  });
  const called = await ask({ ...create, input: "How is the weather?", tools: [weather] });
  expect(called.response?.["output"]).toMatchObject([{ type: "function_call" }]);
  const { text } = await post(model, { model: "m", input: [user("Slate.")] }, "/responses/compact");
  const { output: compacted } = JSON.parse(text) as { output: readonly JsonObject[] };
  expect((await ask({ ...create, tools: [], input: [...compacted, user("Go on")] })).status).toBe("completed");
});

test("on the socket, an invalid request and a scripted refusal are reported, and a cut answer just ends", async () => {
  const turns: readonly Turn[] = [
    { status: 429, headers: { "retry-after": "2" }, body: { error: { code: "rate_limit_exceeded" } } },
    { items: [{ text: "Hi" }], cut: { afterEvents: 2, how: "close" } },
  ];
  await using model = await startScriptedModel({ script: { turns, checks: { fields: false, prefix: false } } });
  const ask = await open(model);
  expect([(await ask({})).error, (await ask({ ...create, input: [call("a"), output("a")] })).error]).toMatchObject([
    { error: { code: "unknown_event" } },
    { status: 429, headers: { "retry-after": "2" }, error: { code: "rate_limit_exceeded" } },
  ]);
  expect(await ask({ ...create, input: [user("Hi")] })).toMatchObject({ status: null, error: null, events: 2 });
});

test("only the path of the API becomes a socket", async () => {
  await using model = await startDemoModel();
  const socket = new WebSocket(`${model.url.replace("http", "ws")}/models`);
  const [error] = (await once(socket, "error")) as [Error];
  expect(error.message).toContain("404");
});

interface SocketReply {
  /** The status of the last event's response; null if the connection closed, or an error came. */
  readonly status: unknown;
  readonly id: unknown;
  readonly response: JsonObject | null;
  readonly error: JsonObject | null;
  readonly events: number;
}

function outputOf({ response }: SocketReply): readonly unknown[] {
  const { output: items } = response ?? {};
  return Array.isArray(items) ? (items as readonly unknown[]) : [];
}

/** Opens a socket, and gives what sends a message on it and waits for all that answers it. */
async function open(model: ScriptedModel): Promise<(message: JsonObject) => Promise<SocketReply>> {
  const socket = new WebSocket(`${model.url.replace("http", "ws")}/responses`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return (message) => {
    const { promise, resolve } = Promise.withResolvers<SocketReply>();
    let events = 0;
    const settle = (response: JsonObject | null, error: JsonObject | null) => {
      socket.off("message", read).off("close", close);
      resolve({ status: response?.["status"] ?? null, id: response?.["id"], response, error, events });
    };
    const close = () => settle(null, null);
    const read = (data: Buffer) => {
      const event = JSON.parse(data.toString("utf8")) as JsonObject;
      if (event["type"] === "error") settle(null, event);
      else events += 1;
      if (["response.completed", "response.failed", "response.incomplete"].includes(String(event["type"]))) {
        settle(event["response"] as JsonObject, null);
      }
    };
    socket.on("message", read).on("close", close).send(JSON.stringify(message));
    return promise;
  };
}
