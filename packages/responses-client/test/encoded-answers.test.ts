import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Answer, completed, delta, startFaultServer, toSse, whole } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

const done = { type: "completed", responseId: "resp_1", usage: null };
const text = toSse([delta("Hello."), whole("Hello."), completed]);

function encoded(encoding: string, body: Uint8Array): Answer {
  const headers = { "content-type": "text/event-stream", "content-encoding": encoding };
  return (response) => response.writeHead(200, headers).end(body);
}

test.each([
  { encoding: "gzip", body: gzipSync(text) },
  { encoding: "X-GZIP", body: gzipSync(text) },
  { encoding: "deflate", body: deflateSync(text) },
  { encoding: "br", body: brotliCompressSync(text) },
  { encoding: "zstd", body: zstdCompressSync(text) },
  { encoding: "identity", body: Buffer.from(text) },
  { encoding: "br, gzip", body: gzipSync(brotliCompressSync(text)) },
])("an answer in $encoding, which no request asks for, is read", async ({ encoding, body }) => {
  await using server = await startFaultServer([encoded(encoding, body)]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  expect(outcome).toEqual(done);
  expect(events).toContainEqual(expect.objectContaining({ delta: "Hello." }));
  expect(server.requests[0]?.headers).not.toHaveProperty("accept-encoding");
});

test("the events of a compressed answer are shown as they arrive", async () => {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  await using server = await startFaultServer([
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      gzip.pipe(response);
      gzip.write(toSse([delta("Hel")]));
    },
  ]);
  using client = openClient(server.origin);
  const answer = client.stream(request, never);
  expect((await answer.next()).value).toMatchObject({ delta: "Hel" });
  gzip.end(toSse([delta("lo."), whole("Hello."), completed]));
  let step = await answer.next();
  while (step.done !== true) step = await answer.next();
  expect(step.value).toEqual(done);
  client.close();
  await server.allClosed();
});

test("a compressed error keeps its words", async () => {
  const body = gzipSync(JSON.stringify({ error: { code: "bad", message: "No such thing." } }));
  await using server = await startFaultServer([
    (response) => response.writeHead(400, { "content-encoding": "gzip" }).end(body),
  ]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toMatchObject({ error: { code: "bad", message: expect.stringContaining("No such thing.") } });
});

test("an answer that ends within its encoding is cut, and tried again", async () => {
  const half = gzipSync(text).subarray(0, 40);
  await using server = await startFaultServer([encoded("gzip", half), encoded("gzip", gzipSync(text))]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toContainEqual(
    expect.objectContaining({ type: "stream.retrying", cause: expect.objectContaining({ code: "stream_cut" }) }),
  );
  expect(outcome).toEqual(done);
});

test.each([
  {
    encoding: "compress",
    body: Buffer.from(text),
    says: (host: string) =>
      `${host} encoded its answer (content-encoding: compress), although the request asked for no encoding; check the gateway or proxy in front of it.`,
  },
  {
    encoding: "gzip",
    body: Buffer.from(text),
    says: (host: string) =>
      `The answer of ${host} cannot be decompressed (Z_DATA_ERROR); check the gateway or proxy in front of it.`,
  },
])("an answer in $encoding that cannot be read is named", async ({ encoding, body, says }) => {
  await using server = await startFaultServer([encoded(encoding, body)]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  const message = says(new URL(server.origin).host);
  expect(outcome).toEqual({ type: "failed", error: { code: "invalid_answer", message, retryable: false } });
  client.close();
  await server.allClosed();
});
