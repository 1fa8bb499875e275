// An agent of two packages: the loop of `core`, the client of `responses-client`, and one tool as a port.
import { setTimeout as sleep } from "node:timers/promises";
import { createRequestEncoder, createThreadState, encodeRequestHead, runTurn, type ToolRuntime } from "@unroll/core";
import type { Clock } from "@unroll/flow";
import { createResponsesClient } from "@unroll/responses-client";
import { startScriptedModel } from "@unroll/scripted-model";

const turns = [{ items: [{ call: "time", arguments: {} }] }, { items: [{ text: "It is noon." }] }];
await using server = await startScriptedModel({ script: { turns } }); // in place of a provider

const clock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
  setTimer: (ms, run) => clearTimeout.bind(null, setTimeout(run, ms)),
};
const model = createResponsesClient({
  provider: { id: "scripted", baseUrl: server.url, queryParams: {}, headers: {} },
  credential: { authorization: async () => ({ authorization: "Bearer none" }) },
  clock,
  random: Math.random,
  userAgent: "core-agent",
});
const parameters = { type: "object", properties: {}, additionalProperties: false };
const tools: ToolRuntime = {
  specs: [{ type: "function", name: "time", description: "The time of day.", strict: false, parameters }],
  endTurn: () => [],
  // oxlint-disable-next-line require-yield -- it shows nothing of its calls
  async *run(calls) {
    return calls.map((call) => ({ type: "function_call_output", call_id: call.call_id, output: "12:00" }));
  },
};
const head = encodeRequestHead({
  threadId: "thread-1",
  model: "gpt-6.1-sol",
  instructions: "You tell the time.",
  tools: tools.specs,
  parallelToolCalls: true,
  store: false,
  encryptedReasoning: true,
  promptCacheKey: "thread-1",
});
const ports = { state: createThreadState(), requests: createRequestEncoder(head), model, tools, guards: [] };
const question = { type: "message", role: "user", content: [{ type: "input_text", text: "How late is it?" }] } as const;
const turn = runTurn(ports, [question], { turnId: "1", signal: new AbortController().signal, request: () => ({}) });
for await (const event of turn) {
  if (event.type === "item.completed" && event.item.type === "agent_message") console.log(event.item.text);
}
model.close();
