import { type Script, type ScriptedModel, startScriptedModel } from "@unroll/scripted-model";
import { fromOpenAI, toResponseItem } from "@unroll/responses-client/openai";
import OpenAI, { AzureOpenAI } from "openai";
import { expect, test } from "vitest";
import { collect, never, openClient } from "./support/open-client.ts";

const body = '{"model":"m","stream":true,"input":["ü"]}';
const chunks = [body.slice(0, 12), body.slice(12, 30), body.slice(30)].map((text) => new TextEncoder().encode(text));
const request = { threadId: "thread-1", turnId: "turn-1", chunks };
const checks = { fields: false };
const clock = { now: () => 0, elapsed: () => 0, sleep: async () => {}, setTimer: () => () => {} };
const turns: Script["turns"] = [
  { status: 503, body: { error: { message: "Busy." } } },
  { items: [{ text: "Grüße, 世界 🌍!" }], chunkBytes: 4, cut: { afterEvents: 5, how: "close" } },
  {
    items: [
      { reasoning: "I think." },
      { text: "Grüße, 世界 🌍!" },
      { call: "shell_command", arguments: '{"command": "ls"}' },
      { type: "of_tomorrow", weight: 1.5 },
    ],
    chunkBytes: 4,
  },
];

const byOpenAI = (model: ScriptedModel): OpenAI => new OpenAI({ baseURL: model.url, apiKey: "none" });

test("the same script through both transports gives the same events, outcomes and bodies", async () => {
  await using first = await startScriptedModel({ script: { turns, checks } });
  const theirs = await collect(fromOpenAI(byOpenAI(first), { clock }).stream(request, never));
  await using second = await startScriptedModel({ script: { turns, checks } });
  using client = openClient("", { provider: { baseUrl: second.url, requestMaxRetries: 2, streamMaxRetries: 2 } });
  const ours = await collect(client.stream(request, never));
  const ofNoServer = (text: unknown): string => JSON.stringify(text).replaceAll(/127\.0\.0\.1:\d+/g, "server");
  expect(ofNoServer(theirs)).toEqual(ofNoServer(ours));
  expect(theirs.events.filter(({ type }) => type === "stream.retrying")).toHaveLength(2);
  expect(theirs.outcome.type).toBe("completed");
  const bodies = ({ requests }: ScriptedModel): readonly string[] => requests.map(({ raw }) => raw.toString());
  expect(bodies(first)).toEqual(bodies(second));
  expect(bodies(first)[0]).toBe(body);
});

test("a refusal by the server is reported as with the other transport, and not sent again", async () => {
  const refusal = { status: 400, body: { error: { message: "No such field.", code: "bad_field" } } };
  await using model = await startScriptedModel({ script: { turns: [refusal], checks } });
  const { events, outcome } = await collect(fromOpenAI(byOpenAI(model), { clock }).stream(request, never));
  expect(events).toEqual([]);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "bad_field", status: 400, retryable: false } });
});

test("an unreachable server is reported, and an abort ends the attempt", async () => {
  const client = new OpenAI({ baseURL: "http://127.0.0.1:9/v1", apiKey: "none", maxRetries: 0 });
  const { outcome } = await collect(fromOpenAI(client, { clock }).stream(request, never));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "connection_failed" } });
  const aborted = await collect(fromOpenAI(client, { clock }).stream(request, AbortSignal.abort()));
  expect(aborted.outcome).toEqual({ type: "aborted" });
});

test("silence within a response is reported with the time limit", async () => {
  const hanging: Script["turns"] = [{ items: [{ text: "Hi" }], cut: { afterEvents: 2, how: "hang" } }];
  await using model = await startScriptedModel({ script: { turns: hanging, checks } });
  const client = new OpenAI({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const { outcome } = await collect(fromOpenAI(client, { idleTimeoutMs: 20 }).stream(request, never));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "idle_timeout" } });
});

test("a client for Azure keeps its own address and key", async () => {
  const seen: string[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    seen.push(
      new Request(url).url,
      String(new Headers(init?.headers).get("api-key")),
      await new Response(init?.body ?? null).text(),
    );
    return Response.json({ error: { message: "Enough." } }, { status: 400 });
  };
  const client = new AzureOpenAI({
    endpoint: "https://me.openai.azure.com",
    apiKey: "k",
    apiVersion: "preview",
    fetch,
  });
  await collect(fromOpenAI(client, { clock }).stream(request, never));
  expect(seen).toEqual(["https://me.openai.azure.com/openai/responses?api-version=preview", "k", body]);
});

test("an item of the other library becomes one of ours, with all its fields", () => {
  const message = { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }], status: "completed" };
  expect(toResponseItem(message)).toEqual(message);
  expect(toResponseItem({ type: "of_tomorrow", n: 1 })).toEqual({
    type: "unknown",
    itemType: "of_tomorrow",
    json: '{"type":"of_tomorrow","n":1}',
  });
});
