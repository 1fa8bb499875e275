import { startScriptedModel, type TurnItem } from "@unroll/scripted-model";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { joinDeltas } from "./support/join-deltas.ts";
import { collect, never, openClient } from "./support/open-client.ts";

const everyKind: readonly TurnItem[] = [
  { reasoning: "I think about it." },
  { search: "weather" },
  { text: "Grüße, 世界 🌍! This text is long enough for several deltas." },
  { call: "shell_command", arguments: { command: "ls -la" } },
  { custom: "apply_patch", input: "*** Begin Patch\n*** End Patch\n" },
  { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "raw thoughts" }] },
  { type: "message", content: [{ type: "refusal", refusal: "I will not." }] },
  { type: "compaction" },
];
const input = [{ type: "message" as const, role: "user" as const, content: "Hi" }];
const body = { model: "m", input, store: false, stream: true as const };
const script = { turns: [{ items: everyKind, chunkBytes: 5 }], checks: { fields: false } };

test("deltas, items and usage are those that the openai SDK reads from the same server", async () => {
  await using first = await startScriptedModel({ script });
  const sdk = new OpenAI({ baseURL: first.url, apiKey: "none", maxRetries: 0 });
  const theirs: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of await sdk.responses.create(body)) theirs.push(event);

  await using second = await startScriptedModel({ script });
  using client = openClient("", { provider: { baseUrl: second.url } });
  const request = { threadId: "t", turnId: "1", chunks: [Buffer.from(JSON.stringify(body))] };
  const { events: ours, outcome } = await collect(client.stream(request, never));

  const types = new Set<string>(ours.map(({ type }) => type));
  expect(types.size).toBe(8);
  expect(joinDeltas(theirs.filter(({ type }) => types.has(type)))).toMatchObject(joinDeltas(ours));
  const last = theirs.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
  const { usage } = last.response;
  expect(outcome).toMatchObject({ type: "completed", responseId: last.response.id, usage: { ...usage } });
});
