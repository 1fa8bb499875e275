// The client of the Responses API alone: one request, its events, its retries, its outcome.
import { setTimeout as sleep } from "node:timers/promises";
import { createResponsesClient } from "@unroll/responses-client";
import { startScriptedModel } from "@unroll/scripted-model";

const turns = [{ status: 503 }, { items: [{ text: "Hello from the second try." }] }];
await using server = await startScriptedModel({ script: { turns, checks: { fields: false } } });

const client = createResponsesClient({
  provider: { id: "scripted", baseUrl: server.url, queryParams: {}, headers: {} },
  credential: { authorization: async () => ({ authorization: "Bearer none" }) },
  clock: {
    now: Date.now,
    elapsed: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    setTimer: (ms, run) => clearTimeout.bind(null, setTimeout(run, ms)),
  },
  random: Math.random,
  userAgent: "sse-client",
});
const body = { model: "gpt-6.1-sol", stream: true, input: [{ type: "message", role: "user", content: "Hi" }] };
const request = { threadId: "t", turnId: "1", chunks: [new TextEncoder().encode(JSON.stringify(body))] };
let text = "";
for await (const event of client.stream(request, AbortSignal.timeout(10_000))) {
  if (event.type === "stream.retrying")
    console.log(`again in ${event.delayMs > 0 ? "a moment" : "no time"}: ${event.cause.code}`);
  if (event.type === "response.output_text.delta") text += event.delta;
}
client.close();
console.log(text);
