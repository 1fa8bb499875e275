import { expect, test } from "vitest";
import { completed, delta, hangUp, json, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

const loading = json(503, { error: { message: "Loading model", type: "unavailable_error", code: 503 } });
const ready = stream(delta("Hello."), completed);

test("a server that loads its model is waited for: one event, growing pauses, and no retry is used up", async () => {
  const answers = [...Array.from({ length: 6 }, () => loading), json(500, {}), ready];
  await using server = await startFaultServer(answers);
  using client = openClient(server.origin, { provider: { requestMaxRetries: 1 } });
  const { events, outcome } = await collect(client.stream(request, never));
  const { host } = new URL(server.origin);
  const message = `${host} could not answer (503): Loading model. Wait until it is ready.`;
  const cause = { code: "server_not_ready", message, retryable: true, status: 503 };
  expect(events).toEqual([
    { type: "stream.retrying", attempt: 1, maxAttempts: 1, delayMs: 300_000, cause },
    expect.objectContaining({ type: "stream.retrying", attempt: 1, maxAttempts: 1, delayMs: 200 }),
    delta("Hello."),
    expect.objectContaining({ type: "response.output_item.done" }),
  ]);
  expect(outcome).toMatchObject({ type: "completed" });
  expect(client.clock.slept).toEqual([500, 1000, 2000, 4000, 5000, 5000, 200]);
});

test("a server that is still not ready when the wait is over fails the request, and says how long it was waited for", async () => {
  await using server = await startFaultServer([loading]);
  using client = openClient(server.origin, { provider: { startupTimeoutMs: 3000 } });
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toHaveLength(1);
  expect(client.clock.slept).toEqual([500, 1000, 1500]);
  expect(outcome).toMatchObject({
    type: "failed",
    error: {
      code: "server_not_ready",
      message: expect.stringMatching(/unroll waited 3 s for it \(startup_timeout_ms\)\.$/) as string,
    },
  });
});

test("without a wait, the ordinary retries apply", async () => {
  await using server = await startFaultServer([loading]);
  using client = openClient(server.origin, { provider: { startupTimeoutMs: 0, requestMaxRetries: 2 } });
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toMatchObject([
    { attempt: 1, maxAttempts: 2 },
    { attempt: 2, maxAttempts: 2 },
  ]);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "server_not_ready" } });
});

test("an abort ends the wait at once", async () => {
  await using server = await startFaultServer([loading]);
  const aborting = new AbortController();
  using client = openClient(server.origin);
  const { outcome } = await collect(
    (async function* () {
      const stream = client.stream(request, aborting.signal);
      for (let next = await stream.next(); ; next = await stream.next()) {
        if (next.done) return next.value;
        aborting.abort();
        yield next.value;
      }
    })(),
  );
  expect(outcome).toEqual({ type: "aborted" });
  expect(server.requests).toHaveLength(1);
});

test("a server of this machine that refuses connections is waited for once it had answered, and not before", async () => {
  const server = await startFaultServer([ready, hangUp]);
  using client = openClient(server.origin, { provider: { startupTimeoutMs: 3000, requestMaxRetries: 1 } });
  await collect(client.stream(request, never));
  await server[Symbol.asyncDispose]();
  const { events, outcome } = await collect(client.stream(request, never));
  const { host } = new URL(server.origin);
  const message = `${host} answered before and refuses connections now (ECONNREFUSED): it is restarting, or has ended.`;
  expect(events).toMatchObject([{ type: "stream.retrying", delayMs: 3000, cause: { message } }]);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "server_not_ready" } });
});
