import OpenAI from "openai";
import { expect, test } from "vitest";
import { startScriptedModel } from "../src/index.ts";
import { body, call, post, user } from "./post.ts";

const [hi, bye] = [user("Hi"), user("Bye")];
const compact = { model: "m", instructions: "Be kind.", prompt_cache_key: "thread-1" };
const ok = { items: [{ text: "ok" }] };

test("the compaction endpoint answers with a compaction item, and the next request may start from scratch", async () => {
  await using model = await startScriptedModel({ script: { turns: [ok, ok, ok] }, allowViolations: true });
  await post(model, body([hi]));
  const { text } = await post(model, { ...compact, input: [hi, bye] }, "/responses/compact");
  const { output } = JSON.parse(text) as { output: unknown };
  expect(output).toEqual([
    { id: "cmp_compact_2_1_0", type: "compaction", encrypted_content: expect.any(String) as string },
  ]);
  expect([await post(model, body([bye])), await post(model, body([hi]))].map(({ status }) => status)).toEqual([
    200, 400,
  ]);
  expect(model.compactions.map(({ input }) => input)).toEqual([[hi, bye]]);
});

test("a compaction request extends the thread, like any other", async () => {
  await using model = await startScriptedModel({ respond: () => ok, allowViolations: true });
  await post(model, body([hi]));
  expect((await post(model, { ...compact, input: [bye] }, "/responses/compact")).status).toBe(400);
  expect((await post(model, { ...compact, input: [hi, call("a")] }, "/responses/compact")).status).toBe(400);
  expect(model.violations.map(({ rule }) => rule)).toEqual(["prefix_law", "call_outputs"]);
});

test("compactions are scripted, and one that fails does not end the epoch", async () => {
  const compactions = [{ status: 500 }, { items: [{ type: "message", role: "user", content: [] }] }];
  await using model = await startScriptedModel({ script: { turns: [ok, ok], compactions }, allowViolations: true });
  await post(model, body([hi]));
  expect((await post(model, { ...compact, input: [hi] }, "/responses/compact")).status).toBe(500);
  expect((await post(model, body([bye]))).status).toBe(400);
  const client = new OpenAI({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const compacted = await client.responses.compact({ ...compact, input: [], prompt_cache_key: "other" });
  expect(compacted).toMatchObject({
    object: "response.compaction",
    output: [{ type: "message", status: "completed" }],
  });
});
