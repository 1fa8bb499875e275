import { expect, test } from "vitest";
import { completed, json, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

test("single bytes keep no answer alive: its idle time counts events and comments", async () => {
  let send: (bytes: string) => void = () => {};
  await using server = await startFaultServer([
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      send = (bytes) => response.write(bytes);
    },
  ]);
  using client = openClient(server.origin, { provider: { idleTimeoutMs: 50_000, streamMaxRetries: 0 } });
  const collecting = collect(client.stream(request, never));
  for (const { leftMs, bytes } of [
    { leftMs: 50_000, bytes: ":" },
    { leftMs: 30_000, bytes: " still working\n" },
    { leftMs: 50_000, bytes: "d" },
    { leftMs: 30_000, bytes: "a" },
  ]) {
    await client.clock.waitFor(leftMs);
    client.clock.pass(20_000);
    send(bytes);
  }
  await client.clock.expire(10_000);
  const { host } = new URL(server.origin);
  const message = `${host} sent no event for 50 s in its answer; try again, or raise stream_idle_timeout_ms.`;
  expect((await collecting).outcome).toEqual({
    type: "failed",
    error: { code: "idle_timeout", message, retryable: true },
  });
});

test.each([
  { status: 425, headers: {}, requests: 2 },
  { status: 409, headers: {}, requests: 1 },
  { status: 409, headers: { "retry-after": "1" }, requests: 2 },
  { status: 409, headers: { "x-should-retry": "true" }, requests: 2 },
  { status: 400, headers: { "x-should-retry": "true" }, requests: 2 },
  { status: 500, headers: { "x-should-retry": "false" }, requests: 1 },
  { status: 429, headers: { "x-should-retry": "false" }, requests: 1 },
  { status: 500, headers: { "x-should-retry": "perhaps" }, requests: 2 },
])("after $status with $headers, $requests requests are made", async ({ status, headers, requests }) => {
  await using server = await startFaultServer([json(status, {}, headers), stream(completed)]);
  using client = openClient(server.origin);
  await collect(client.stream(request, never));
  expect(server.requests).toHaveLength(requests);
});
