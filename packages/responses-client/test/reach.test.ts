import { expect, test } from "vitest";
import { startFaultServer } from "./support/fault-server.ts";
import { key, never, openClient } from "./support/open-client.ts";

const json = { "content-type": "application/json" };

test("a server is reached by the list of its models, with the headers of a turn, and nothing is sent", async () => {
  await using server = await startFaultServer([
    (response) => void response.writeHead(200, json).end('{"object":"list","data":[{"id":"a"},{"id":"b"}]}'),
  ]);
  using client = openClient(server.origin, { provider: { headers: { "x-team": "one" }, queryParams: { v: "1" } } });
  expect(await client.reach(never)).toEqual({
    type: "reached",
    models: ["a", "b"],
    entries: [{ id: "a" }, { id: "b" }],
  });
  expect(server.requests).toMatchObject([
    { method: "GET", url: "/v1/models?v=1", headers: { authorization: `Bearer ${key}`, "x-team": "one" }, body: "" },
  ]);
  expect(Object.keys(server.requests[0]?.headers ?? {})).not.toContain("content-type");
});

test("the list of a ChatGPT login is asked for with what it wants to know, and read", async () => {
  const entry = { slug: "a", context_window: 5 };
  await using server = await startFaultServer([
    (response) => void response.writeHead(200, json).end(JSON.stringify({ models: [entry] })),
  ]);
  using client = openClient(server.origin, { provider: { listParams: { client_version: "1.2.3" } } });
  expect(await client.reach(never)).toEqual({ type: "reached", models: ["a"], entries: [entry] });
  expect(server.requests).toMatchObject([{ url: "/v1/models?client_version=1.2.3" }]);
});

test.for([
  ["without such a list", 404, "no", { type: "no_list", status: 404 }],
  ["with a list of another kind", 200, '{"models":["a"]}', { type: "reached", models: null }],
  ["that wants another key", 401, `{"error":{"message":"wrong ${key}"}}`, { type: "failed", error: { status: 401 } }],
  ["in trouble", 503, "", { type: "failed", error: { code: "http_503" } }],
] as const)("a server %s is asked once", async ([_what, status, body, expected]) => {
  await using server = await startFaultServer([(response) => void response.writeHead(status, json).end(body)]);
  using client = openClient(server.origin);
  const outcome = await client.reach(never);
  expect(outcome).toMatchObject(expected);
  expect(JSON.stringify(outcome)).not.toContain(key);
  expect(server.requests).toHaveLength(1);
});

test.for([
  ["with both", 400, 400, "responses"],
  ["with chat completions alone", 404, 400, "chat_only"],
  ["that is none", 404, 404, null],
  ["that wants another key", 401, 401, "responses"],
] as const)("a server %s is recognized by its answers to empty requests", async ([, responses, chat, expected]) => {
  await using server = await startFaultServer([
    (response) => void response.writeHead(chat, json).end("{}"),
    (response) => void response.writeHead(responses, json).end("{}"),
  ]);
  using client = openClient(server.origin);
  expect(await client.findApi(never)).toBe(expected);
  const asked = server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);
  expect(asked).toEqual(["POST /v1/chat/completions {}", "POST /v1/responses {}"].slice(0, chat === 404 ? 1 : 2));
});

test("the API of a server that does not answer is unknown, and status 200 with an error counts as chat only", async () => {
  using gone = openClient("http://127.0.0.1:1");
  expect(await gone.findApi(never)).toBeNull();
  await using studio = await startFaultServer([
    (response) => void response.writeHead(400, json).end("{}"),
    (response) =>
      void response.writeHead(200, json).end('{"error":"Unexpected endpoint or method. (POST /v1/responses)"}'),
  ]);
  using client = openClient(studio.origin);
  expect(await client.findApi(never)).toBe("chat_only");
});

test("a reach that is aborted says so", async () => {
  await using server = await startFaultServer([() => {}]);
  using client = openClient(server.origin);
  expect(await client.reach(AbortSignal.abort())).toEqual({ type: "aborted" });
});
