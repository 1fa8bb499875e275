import { expect, test } from "vitest";
import { startFaultServer } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

const json = { "content-type": "application/json" };
const sealed = '{"type":"compaction","encrypted_content":"x","n":1.0}';
const odd = '{ "type":"of_tomorrow", "n": 1.0 }';
const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 };

function toBody(output: string): string {
  return `{"id":"resp_1","object":"response.compaction","output":${output},"usage":${JSON.stringify(usage)}}`;
}

test("a server shortens an input: its items come back in the words that it chose", async () => {
  await using server = await startFaultServer([
    (response) => void response.writeHead(503).end(),
    (response) => void response.writeHead(200, json).end(toBody(`[${sealed},${odd}]`)),
  ]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.compact(request, never));
  expect(events).toMatchObject([{ type: "stream.retrying", attempt: 1 }]);
  expect(outcome).toEqual({
    type: "completed",
    responseId: "resp_1",
    items: [JSON.parse(sealed), { type: "unknown", itemType: "of_tomorrow", json: odd }],
    usage,
  });
  expect(server.requests.map(({ url, headers, body }) => [url, headers.accept, body])).toEqual(
    Array.from({ length: 2 }, () => ["/v1/responses/compact", "application/json", '{"model":"m","input":["ü"]}']),
  );
});

test.for([
  ["no such place", 404, '{"error":{"message":"no such route"}}', { code: "http_404", retryable: false }],
  [
    "too long",
    400,
    '{"error":{"code":"context_length_exceeded","message":"too long"}}',
    { code: "context_length_exceeded" },
  ],
  ["another shape", 200, '{"output":"none"}', { code: "invalid_answer", retryable: false }],
  ["no JSON", 200, "{", { code: "invalid_answer", retryable: false }],
] as const)("a server that cannot is a failure and no exception: %s", async ([, status, body, error]) => {
  await using server = await startFaultServer([(response) => void response.writeHead(status, json).end(body)]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.compact(request, never));
  expect(outcome).toMatchObject({ type: "failed", error });
});

test("an abort ends it", async () => {
  await using server = await startFaultServer([() => {}]);
  using client = openClient(server.origin);
  const controller = new AbortController();
  const compacting = collect(client.compact(request, controller.signal));
  controller.abort();
  expect((await compacting).outcome).toEqual({ type: "aborted" });
});
