import { expect, test } from "vitest";
import { completed, json, startFaultServer, stream } from "./support/fault-server.ts";
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
        session_id: "thread-1",
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

test("a compaction gives the items that stand in for the input, unknown ones byte for byte", async () => {
  const output = '[{"type":"compaction","encrypted_content":"gAAA","extra":1}, {"type":"new_thing", "size":1.50}]';
  await using server = await startFaultServer([
    json(503, {}),
    (response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"output": ${output}, "usage": {"input_tokens":9,"output_tokens":2,"total_tokens":11}}`),
  ]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.compact(request, never));
  expect(events).toMatchObject([{ type: "stream.retrying", attempt: 1, maxAttempts: 4, cause: { code: "http_503" } }]);
  expect(outcome).toEqual({
    type: "completed",
    items: [
      { type: "compaction", encrypted_content: "gAAA", extra: 1 },
      { type: "unknown", itemType: "new_thing", json: '{"type":"new_thing", "size":1.50}' },
    ],
    usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
  });
  expect(server.requests[1]).toMatchObject({
    method: "POST",
    url: "/v1/responses/compact",
    body: '{"model":"m","input":["ü"]}',
  });
});

test.each([
  { data: [{ id: "a", object: "model" }, { id: "b" }] },
  { models: [{ slug: "a", title: "A" }, { slug: "b" }] },
])("models are listed in the order of the server", async (body) => {
  await using server = await startFaultServer([json(200, body)]);
  using client = openClient(server.origin);
  expect(await client.listModels(never)).toEqual({ type: "completed", models: ["a", "b"] });
  expect(server.requests[0]).toMatchObject({ method: "GET", url: "/v1/models", body: "" });
  expect(server.requests[0]?.headers).not.toHaveProperty("content-length");
});

test.each([{ data: "none" }, null, "text"])("an answer of another shape is no list of models: %j", async (body) => {
  await using server = await startFaultServer([json(200, body)]);
  using client = openClient(server.origin);
  expect(await client.listModels(never)).toEqual({
    type: "failed",
    error: {
      code: "invalid_answer",
      message: `${new URL(server.origin).host} sent an answer that is not of the Responses API; check base_url.`,
      retryable: false,
    },
  });
});
