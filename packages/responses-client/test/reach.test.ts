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

test.for([
  ["without such a list", 404, "no", { type: "no_list", status: 404 }],
  ["with a list of another kind", 200, '{"models":[]}', { type: "reached", models: null }],
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

test("a reach that is aborted says so", async () => {
  await using server = await startFaultServer([() => {}]);
  using client = openClient(server.origin);
  expect(await client.reach(AbortSignal.abort())).toEqual({ type: "aborted" });
});
