import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel, type Turn } from "../src/index.ts";
import { body, post, postForEvents, postForResponse, user } from "./post.ts";

const question = body([user("Hi")]);

function play(...turns: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel({ script: { turns }, now: () => 1_700_000_000_000 });
}

test("a status turn answers with its status, headers and body", async () => {
  const busy = { error: { code: "rate_limit_exceeded", message: "try again in 1.5s" } };
  await using model = await play(
    { status: 429, headers: { "retry-after": "2" }, body: busy },
    { status: 500 },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html>" },
  );
  const replies = [await post(model, question), await post(model, question), await post(model, question)];
  expect(replies.map(({ status, text }) => [status, text])).toEqual([
    [429, JSON.stringify(busy)],
    [500, '{"error":{"type":"scripted_error","code":null,"message":"Scripted status 500","param":null}}'],
    [200, "<html>"],
  ]);
  expect(replies[0]?.headers.get("retry-after")).toBe("2");
  expect(replies[2]?.headers.get("content-type")).toBe("text/html");
});

test("events and raw bytes are sent as they are", async () => {
  await using model = await play(
    { events: [": hello\n\n", { type: "response.tomorrow", a: 1 }, "data: {oops\n\n"] },
    { raw: "data: Grüße\r\n\r\n" },
    { raw: Uint8Array.from([0xff, 0x0a]), headers: { "content-type": "application/octet-stream" } },
  );
  const replies = [await post(model, question), await post(model, question), await post(model, question)];
  expect(replies.map(({ text }) => text)).toEqual([
    ': hello\n\nevent: response.tomorrow\ndata: {"type":"response.tomorrow","a":1}\n\ndata: {oops\n\n',
    "data: Grüße\r\n\r\n",
    "\ufffd\n",
  ]);
});

test("a stray event comes between the items and is not numbered", async () => {
  await using model = await play({
    items: [{ event: { type: "response.tomorrow" } }, { event: ": hm\n\n" }],
    end: "none",
  });
  expect((await post(model, question)).text.split("\n\n").slice(2)).toEqual([
    'event: response.tomorrow\ndata: {"type":"response.tomorrow"}',
    ": hm",
    "",
  ]);
});

test("an item of an unknown type is sent exactly as the script has it", async () => {
  const item = { type: "of_tomorrow", text: "x", deep: { a: [1, null] } };
  await using model = await play({ items: [item] });
  const response = await postForResponse(model, question);
  expect(response["output"]).toEqual([item]);
});

test("a response can fail, be incomplete, or end without a terminal event", async () => {
  const failed = { code: "server_error", message: "Oh no." };
  await using model = await play(
    { items: [], end: { failed } },
    { items: [], end: { incomplete: "max_output_tokens" } },
    { items: [{ text: "Hi" }], end: "none" },
  );
  const [first, second, third] = [
    (await postForEvents(model, question)).at(-1),
    (await postForEvents(model, question)).at(-1),
    (await postForEvents(model, question)).at(-1),
  ];
  expect(first).toMatchObject({ type: "response.failed", response: { status: "failed", error: failed, usage: null } });
  expect(second).toMatchObject({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  });
  expect(third).toMatchObject({ type: "response.output_item.done" });
});

test("a cut answer stops after so many events or bytes", async () => {
  await using model = await play(
    { items: [{ text: "Hi" }], cut: { afterEvents: 2, how: "end" } },
    { raw: "data: Grüße\n\n", cut: { afterBytes: 9, how: "end" } },
    { items: [{ text: "Hi" }], cut: { afterEvents: 0, how: "end" } },
  );
  expect((await postForEvents(model, question)).map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
  ]);
  expect((await post(model, question)).text).toBe("data: Gr\ufffd");
  expect((await post(model, question)).text).toBe("");
});

test.for(["close", "reset"] as const)("after a %s the client has the bytes so far and an error", async (how) => {
  await using model = await play({ raw: "data: 1\n\ndata: 2\n\n", cut: { afterBytes: 9, how } });
  const { text, error } = await readUntilEnd(model);
  expect({ text, code: error?.code }).toEqual({ text: "data: 1\n\n", code: "ECONNRESET" });
});

test.for([
  { items: [{ text: "Hi" }], keepOpen: true },
  { items: [{ text: "Hi" }], cut: { afterEvents: 3, how: "hang" } },
  { items: [{ text: "Hi" }], delayMs: 3_600_000 },
  { items: [{ text: "Hi" }], eventDelayMs: 3_600_000 },
] satisfies readonly Turn[])("closing ends an answer that would never end: %o", async (turn) => {
  const model = await play(turn);
  const reading = readUntilEnd(model);
  await expect.poll(() => model.requests.length).toBe(1);
  await model.close();
  expect((await reading).error?.code).toBe("ECONNRESET");
});

test("a kept-open answer has its terminal event, and the client may leave", async () => {
  await using model = await play({ items: [{ text: "Hi" }], keepOpen: true }, { items: [{ text: "Again" }] });
  const leaving = new AbortController();
  const response = await fetch(`${model.url}/responses`, {
    method: "POST",
    body: JSON.stringify(question),
    signal: leaving.signal,
  });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes("event: response.completed")) break;
  }
  leaving.abort();
  expect(await postForResponse(model, question)).toMatchObject({ status: "completed" });
});

test("a client that leaves before its body is whole is nobody's fault", async () => {
  await using model = await play({ items: [{ text: "Hi" }] });
  const leaving = httpRequest(`${model.url}/responses`, {
    method: "POST",
    agent: false,
    headers: { "content-length": 9 },
  });
  leaving.on("error", () => undefined);
  await new Promise((sent) => leaving.write("half", sent));
  leaving.destroy();
  await new Promise((closed) => leaving.once("close", closed));
  expect(await postForResponse(model, question)).toMatchObject({ status: "completed" });
  expect(model.requests).toHaveLength(1);
});

test("delayed events all come, in order", async () => {
  const items = [{ text: "One two three" }];
  await using model = await play({ items, chunkBytes: 4, eventDelayMs: 1, delayMs: 1 }, { items, chunkBytes: 4 });
  const delayed = await postForEvents(model, question);
  const atOnce = await postForEvents(model, question);
  expect(delayed.map(({ type, delta }) => [type, delta])).toEqual(atOnce.map(({ type, delta }) => [type, delta]));
});

test("a turn repeats as often as it says, and the last one for ever if the script says so", async () => {
  await using model = await startScriptedModel({
    script: { turns: [{ items: [{ text: "a" }], repeat: 2 }, { items: [{ text: "b" }] }], atEnd: "repeat-last" },
  });
  const texts: unknown[] = [];
  for (let count = 0; count < 5; count += 1) {
    const response = await postForResponse(model, question);
    texts.push(JSON.stringify(response["output"]).match(/"text":"(.)"/)?.[1]);
  }
  expect(texts).toEqual(["a", "a", "b", "b", "b"]);
});

test("ids differ from request to request and from item to item", async () => {
  await using model = await play(
    {
      items: [
        { call: "a", arguments: {} },
        { call: "b", arguments: "not json" },
      ],
    },
    { items: [{ custom: "c", input: "", call_id: "mine" }] },
  );
  const ids = [await postForResponse(model, question), await postForResponse(model, question)].map((response) => [
    response["id"],
    (response["output"] as readonly { readonly call_id: string }[]).map((item) => item.call_id),
  ]);
  expect(ids).toEqual([
    ["resp_1_1", ["call_1_1_0", "call_1_1_1"]],
    ["resp_1_2", ["mine"]],
  ]);
});

test("the models are listed, and what is not there is a 404", async () => {
  await using model = await startScriptedModel({ script: { turns: [], models: ["a", "b"] }, now: () => 5000 });
  const entry = { object: "model", created: 5, owned_by: "unroll" };
  expect(await (await fetch(`${model.url}/models?limit=1`)).json()).toEqual({
    object: "list",
    data: [
      { id: "a", ...entry },
      { id: "b", ...entry },
    ],
  });
  expect((await fetch(`${model.url}/files`)).status).toBe(404);
});

test("a port that is taken is an error that names it", async () => {
  await using model = await play();
  const port = Number(new URL(model.url).port);
  await expect(startScriptedModel({ script: { turns: [] }, port })).rejects.toMatchObject({
    name: "ScriptedModelError",
    code: "listen_failed",
    message: expect.stringContaining(`Port ${port} on 127.0.0.1`) as string,
  });
});

/** Posts the question with node:http, which tells how a connection broke. */
async function readUntilEnd(model: ScriptedModel): Promise<{ text: string; error?: NodeJS.ErrnoException }> {
  let text = "";
  try {
    const request = httpRequest(`${model.url}/responses`, { method: "POST", agent: false }).end(
      JSON.stringify(question),
    );
    request.on("error", () => undefined); // after the response has reported a broken connection, the request reports it, too
    const [response] = (await once(request, "response")) as [NodeJS.ReadableStream];
    for await (const chunk of response) text += String(chunk);
    return { text };
  } catch (error) {
    return { text, error: error as NodeJS.ErrnoException };
  }
}
