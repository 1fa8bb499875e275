import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type JsonObject,
  type ScriptedModel,
  startScriptedModel,
  type Turn,
} from "../src/index.ts";
import { output, post, postForEvents, readEvents, user } from "./post.ts";

const conformance = join(import.meta.dirname, "../../../conformance");

function serve(guise: Guise, ...turns: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel({ script: { turns }, guise, now: () => 1_700_000_000_000 });
}

function ask(...input: readonly JsonObject[]): JsonObject {
  return {
    model: "lab-bigram",
    instructions: "Be kind.",
    stream: true,
    input: input.length > 0 ? input : [user("Hi")],
  };
}

/** Events without what differs from run to run: ids are numbered, deltas put together, counts left out. */
function outline(events: readonly JsonObject[]): readonly unknown[] {
  const ids: string[] = [];
  const numberIds = (text: string): string =>
    text.replaceAll(/"(?:resp|rs|msg|fc|call)_\w+"/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `"${id.slice(1).replace(/_.*/, "")}_${ids.indexOf(id)}"`;
    });
  const joined: JsonObject[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    const isMore = "delta" in event && last?.["type"] === event["type"] && last?.["item_id"] === event["item_id"];
    if (isMore) joined.splice(-1, 1, { ...last, delta: `${String(last?.["delta"])}${String(event["delta"])}` });
    else joined.push(event);
  }
  const told = ["timings", "usage", "created_at"];
  const withoutCounts = (key: string, value: unknown): unknown => (told.includes(key) ? "told" : value);
  return joined.map((event): unknown => JSON.parse(numberIds(JSON.stringify(event)), withoutCounts));
}

const uname = '{"command": "uname -sr"}';
const reasoning = { reasoning: "Let me look at this project first.\n" };
const text = { text: "I will look at what is here.\n" };

test.for([
  ["002-llama-server", [uname]],
  ["003-llama-server-three-calls", [uname, '{"command": "ls -la"}', uname]],
] as const)("the guise of llama-server writes what a real one wrote (%s)", async ([folder, commands]) => {
  const calls = commands.map((command) => ({ call: "shell_command", arguments: command }));
  await using model = await serve(createLlamaServerGuise({ model: "lab-bigram" }), {
    items: [reasoning, text, ...calls],
  });
  const real = readEvents(await readFile(join(conformance, "answers", folder, "stream.sse"), "utf8"));
  expect(outline(await postForEvents(model, ask()))).toEqual(outline(real));
});

test("the guise of llama-server lists its model as a real one does", async () => {
  const guise = createLlamaServerGuise({ model: "lab-bigram", contextLength: 32_768 });
  await using model = await serve(guise);
  const response = await fetch(`${model.url}/models`, { headers: { connection: "close" } });
  const listed = (await response.json()) as { readonly data: readonly JsonObject[] };
  const real = JSON.parse(
    await readFile(join(conformance, "servers/llama-server-models.json"), "utf8"),
  ) as typeof listed;
  expect(response.headers.get("server")).toBe("llama.cpp");
  expect(Object.keys(listed)).toEqual(Object.keys(real));
  expect(real.data[0]).toMatchObject({ ...listed.data[0], meta: { n_ctx: 32_768, n_ctx_train: 131_072 } });
});

const whole = [
  { reasoning: "Think." },
  { text: "I look." },
  { call: "a", arguments: {} },
  { call: "b", arguments: { n: 1 } },
];

/** Type, index and kind of each event of an item, without its deltas. */
function placesOf(events: readonly JsonObject[]): readonly string[] {
  return events
    .filter(({ type }) => String(type).startsWith("response.output_item."))
    .map(
      ({ type, output_index: index, item }) =>
        `${String(type).slice(21)} ${String(index)} ${String((item as JsonObject)["type"])}`,
    );
}

function responseOf(events: readonly JsonObject[]): JsonObject {
  return events.at(-1)?.["response"] as JsonObject;
}

function outputOf(events: readonly JsonObject[]): readonly JsonObject[] {
  return responseOf(events)["output"] as readonly JsonObject[];
}

test("Ollama gives a message the index of the calls behind it, and its end in the final output alone", async () => {
  const guise = createOllamaGuise({ version: "1", models: ["lab-bigram"] });
  await using model = await serve(guise, { items: [...whole, { text: "Lost." }] }, { items: [{ text: "Hi." }] });
  const events = await postForEvents(model, ask());
  expect(placesOf(events)).toEqual([
    "added 0 reasoning",
    "done 0 reasoning",
    "added 1 message",
    "added 1 function_call",
    "done 1 function_call",
    "added 1 function_call",
    "done 1 function_call",
  ]);
  expect(outputOf(events)).toMatchObject([
    { type: "reasoning", summary: [{ text: "Think." }], encrypted_content: "Think." },
    { type: "function_call", name: "a", arguments: "{}" },
    { type: "function_call", name: "b" },
    { type: "message", content: [{ text: "I look." }] },
  ]);
  expect(events.map(({ type }) => type)).not.toContain("response.reasoning_summary_part.added");
  expect(placesOf(await postForEvents(model, ask()))).toEqual(["added 0 message", "done 0 message"]);
});

test("vLLM parses its final output again, with other ids and other call ids", async () => {
  await using model = await serve(createVllmGuise({ models: ["lab-bigram"] }), { items: whole });
  const events = await postForEvents(model, ask());
  const done = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item as JsonObject);
  const final = outputOf(events);
  expect(placesOf(events).filter((place) => place.startsWith("done"))).toEqual([
    "done 0 reasoning",
    "done 1 message",
    "done 2 function_call",
    "done 3 function_call",
  ]);
  expect(done.map(({ arguments: given }) => given)).toEqual([undefined, undefined, "", '{"n":1}']);
  expect(final.map(({ arguments: given }) => given)).toEqual([undefined, undefined, "{}", '{"n":1}']);
  for (const name of ["id", "call_id"]) {
    const both = [...done, ...final].map((item) => item[name]).filter((id) => id !== undefined);
    expect(new Set(both).size).toBe(both.length);
  }
  expect(events.filter(({ type }) => type === "response.function_call_arguments.done")).toHaveLength(1);
});

test("vLLM writes finished calls of gpt-oss without an id, among members of an event", async () => {
  await using model = await serve(createVllmGuise({ models: ["lab-bigram"], isHarmony: true }), { items: whole });
  const events = await postForEvents(model, ask());
  const done = events.filter(({ type }) => type === "response.output_item.done");
  expect(done.at(-1)?.["item"]).toEqual({
    type: "function_call",
    status: "completed",
    call_id: expect.any(String),
    name: "b",
    arguments: '{"n":1}',
    item_id: expect.any(String),
    output_index: 3,
    sequence_number: -1,
  });
});

test.for([
  [
    "llama-server",
    createLlamaServerGuise({ model: "lab-bigram" }),
    ["response.completed", "completed"],
    'data: {"error"',
  ],
  [
    "Ollama",
    createOllamaGuise({ version: "1", models: ["lab-bigram"] }),
    ["response.completed", "completed"],
    "data: {",
  ],
  ["vLLM", createVllmGuise({ models: ["lab-bigram"] }), ["response.completed", "incomplete"], "data: {"],
  [
    "LM Studio",
    createLmStudioGuise({ models: [], knowsResponses: true }),
    ["response.incomplete", "incomplete"],
    "data: {",
  ],
] as const)("%s ends an answer in its own way when it is too long, or fails", async ([name, guise, end, failed]) => {
  const items = [{ text: "Hi." }];
  const turns = [
    { items, end: { incomplete: "max_output_tokens" } },
    { items, end: { failed: { code: "server_error", message: "It broke." } } },
  ];
  await using model = await serve(guise, ...turns);
  const events = await postForEvents(model, ask());
  expect([events.at(-1)?.["type"], responseOf(events)["status"]]).toEqual(end);
  const { text: said } = await post(model, ask());
  const lines = said.trim().split("\n");
  expect(lines.at(-1)).toContain(failed);
  expect(said.includes("response.failed")).toBe(name === "LM Studio");
});

const cut = { type: "function_call", call_id: "c", name: "x", arguments: '{"a' };
const image = {
  type: "message",
  role: "user",
  content: [{ type: "input_image", image_url: "data:image/png;base64,AA==" }],
};
const developer = { type: "message", role: "developer", content: [{ type: "input_text", text: "d" }] };
const summary = { type: "reasoning", summary: [{ type: "summary_text", text: "x" }], encrypted_content: "abc" };
const freeform = { type: "custom_tool_call", call_id: "c", name: "x", input: "y" };
const answered = { type: "custom_tool_call_output", call_id: "c", output: "z" };
const long = user("word ".repeat(4000));
const llama = { model: "lab-bigram", contextLength: 4096 } as const;
const vllm = { models: ["lab-bigram"], contextLength: 4096 } as const;

test.for<readonly [string, Guise, JsonObject, number, string]>([
  [
    "llama-server, a cut call",
    createLlamaServerGuise(llama),
    ask(cut, output("c")),
    500,
    "Failed to parse tool call arguments as JSON",
  ],
  ["llama-server, an image", createLlamaServerGuise(llama), ask(image), 500, "image input is not supported"],
  [
    "llama-server, a summary alone",
    createLlamaServerGuise(llama),
    ask(summary),
    400,
    "item['content'] is not an array",
  ],
  [
    "llama-server, a freeform call",
    createLlamaServerGuise(llama),
    ask(freeform, answered),
    400,
    "Cannot determine type of 'item'",
  ],
  [
    "llama-server, too long",
    createLlamaServerGuise(llama),
    ask(long),
    400,
    "exceeds the available context size (4096 tokens)",
  ],
  [
    "llama-server, Qwen's template",
    createLlamaServerGuise({ ...llama, template: "system_first" }),
    ask(developer),
    400,
    "System message must be at the beginning.",
  ],
  [
    "llama-server, Mistral's template",
    createLlamaServerGuise({ ...llama, template: "alternating" }),
    ask(user("a"), user("b")),
    400,
    "conversation roles must alternate",
  ],
  [
    "llama-server, another path",
    createLlamaServerGuise({ ...llama, knowsResponses: false }),
    ask(),
    404,
    "File Not Found",
  ],
  ["llama-server that loads", createLlamaServerGuise({ ...llama, loadingAnswers: 1 }), ask(), 503, "Loading model"],
  ["vLLM, an item of OpenAI's", createVllmGuise(vllm), ask(freeform, answered), 400, "'input', 'list', '0', 'type'"],
  ["vLLM, encrypted content", createVllmGuise(vllm), ask(summary), 400, "Encrypted content"],
  [
    "vLLM, a message without status",
    createVllmGuise(vllm),
    ask({ type: "message", role: "assistant", content: [] }),
    400,
    "'status'",
  ],
  ["vLLM, another model", createVllmGuise({ models: ["b"] }), ask(), 404, "The model `lab-bigram` does not exist."],
  ["vLLM, too long", createVllmGuise(vllm), ask(long), 400, "exceeds the max_model_len 4096"],
  [
    "vLLM, Qwen's template",
    createVllmGuise({ ...vllm, template: "system_first" }),
    ask(developer),
    400,
    "System message must be at the beginning.",
  ],
  [
    "Ollama, an item of OpenAI's",
    createOllamaGuise({ version: "1", models: ["lab-bigram"] }),
    ask(freeform, answered),
    400,
    "input[0]: unknown input item type",
  ],
  [
    "Ollama, a cut call",
    createOllamaGuise({ version: "1", models: ["lab-bigram"] }),
    ask(cut, output("c")),
    400,
    "failed to parse function call arguments",
  ],
  [
    "Ollama, no eyes",
    createOllamaGuise({ version: "1", models: ["lab-bigram"], capabilities: [] }),
    ask(image),
    400,
    "does not support vision",
  ],
  [
    "Ollama, another effort",
    createOllamaGuise({ version: "1", models: ["lab-bigram"] }),
    { ...ask(), reasoning: { effort: "minimal" } },
    400,
    "invalid reasoning value",
  ],
  [
    "LM Studio, a tool of OpenAI's",
    createLmStudioGuise({ models: [], knowsResponses: true }),
    { ...ask(), tools: [{ type: "custom" }] },
    400,
    "invalid_union_discriminator",
  ],
  [
    "LM Studio, too long",
    createLmStudioGuise({ models: [], knowsResponses: true, contextLength: 4096 }),
    ask(long),
    400,
    ">= n_ctx: 4096",
  ],
  [
    "LM Studio, too long and silent",
    createLmStudioGuise({ models: [], knowsResponses: true, contextLength: 4096, overflow: "empty" }),
    ask(long),
    200,
    '"output":[]',
  ],
])("%s: refused in the server's own words", async ([, guise, question, status, words]) => {
  await using model = await serve(guise);
  const reply = await post(model, question);
  expect(reply.status).toBe(status);
  expect(reply.text).toContain(words);
});

test("templates take one system text, and calls and results between user and assistant", async () => {
  const call = { type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  const said = {
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Done." }],
  };
  const input = [user("a"), call, output("c"), said, user("b")];
  for (const template of ["system_first", "alternating"] as const) {
    await using model = await serve(createLlamaServerGuise({ ...llama, template }), { items: [{ text: "Hi." }] });
    expect((await post(model, ask(...input))).status).toBe(200);
  }
});

test("Ollama says what fitted into its window, and which model is loaded once it answered", async () => {
  const guise = createOllamaGuise({ version: "1", models: ["lab-bigram"], contextLength: 2048 });
  await using model = await serve(guise, { items: [{ text: "Hi." }] });
  const origin = model.url.replace(/\/v1$/, "");
  const readLoaded = async () => (await fetch(`${origin}/api/ps`, { headers: { connection: "close" } })).json();
  expect(await readLoaded()).toEqual({ models: [] });
  const { usage } = responseOf(await postForEvents(model, ask(long)));
  expect(usage).toMatchObject({ input_tokens: 2048, input_tokens_details: { cached_tokens: 0 } });
  expect(await readLoaded()).toEqual({ models: [{ name: "lab-bigram", model: "lab-bigram", context_length: 2048 }] });
});
