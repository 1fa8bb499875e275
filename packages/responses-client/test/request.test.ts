import { expect, test } from "vitest";
import { completed, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, key, never, openClient, request } from "./support/open-client.ts";

test("a request is the encoded chunks as they are, with the headers of the thread, the harness and the credential", async () => {
  await using server = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toEqual({ type: "completed", responseId: "resp_1", usage: null });
  expect(server.requests).toEqual([
    {
      method: "POST",
      url: "/v1/responses",
      headers: {
        "user-agent": "unroll/0.0.0",
        originator: "unroll",
        "session-id": "thread-1",
        "thread-id": "thread-1",
        "x-client-request-id": "thread-1",
        accept: "text/event-stream",
        "content-type": "application/json",
        "content-length": "28",
        authorization: `Bearer ${key}`,
        host: server.origin.slice("http://".length),
        connection: "keep-alive",
      },
      body: '{"model":"m","input":["ü"]}',
    },
  ]);
});

test("configured headers and query parameters are sent; the credential wins over a header of its name", async () => {
  await using server = await startFaultServer([stream(completed)]);
  const provider = {
    baseUrl: `${server.origin}/openai/?deployment=a%20b`,
    queryParams: { "api-version": "2026-11-01" },
    headers: { "X-Team": "tools", Authorization: "Bearer stale", "User-Agent": "theirs" },
  };
  using client = openClient(server.origin, { provider, originator: "my-app" });
  await collect(client.stream(request, never));
  const [received] = server.requests;
  expect(received?.url).toBe("/openai/responses?deployment=a+b&api-version=2026-11-01");
  expect(received?.headers).toMatchObject({
    "x-team": "tools",
    authorization: `Bearer ${key}`,
    "user-agent": "theirs",
    originator: "my-app",
  });
});
