import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import {
  checkByPlace,
  type ClientConnection,
  type LineClient,
  type LineService,
  serveClient,
} from "@unroll/thread-host/wire";
import { expect, test } from "vitest";
import { z } from "zod";

interface Notice {
  readonly method: string;
  readonly params: object;
}
type Client = LineClient<{ readonly color: { readonly params: object; readonly result: unknown } }, Notice>;

const parameters = z.object({ items: z.array(z.object({ text: z.string() })) });

/** `run` has the methods beside `initialize` and `check`. */
function createService(run: (client: Client, method: string) => Promise<unknown> = async () => ({})) {
  const service: LineService<{ readonly color: { readonly params: object; readonly result: unknown } }, Notice> = {
    hasMethod: (method) => method !== "none",
    async run(method, params, client) {
      if (method === "check") checkByPlace(parameters, params, method);
      return { result: method === "initialize" ? {} : await run(client, method) };
    },
    readUnwanted: () => ["unwanted"],
    parseAnswer: (method, result) => checkByPlace(z.string(), result, method),
    toResolved: (_, id) => ({ method: "resolved", params: { id } }),
    toStray: (id) => ({ method: "stray", params: { id } }),
    leave: async () => {},
  };
  return service;
}

/** Sends only these lines and returns the answers. */
async function serve(lines: readonly string[], service = createService()): Promise<readonly unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said = text(output);
  input.end(lines.map((line) => `${line}\n`).join(""));
  await serveClient({ input, output, patienceMs: null, close: () => {} }, service);
  output.end();
  return (await said).split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));
}

const hello = '{"id":0,"method":"initialize"}';
const fault = (id: unknown, code: number, message: string): object => ({
  id,
  error: { code, message: expect.stringContaining(message) as string },
});

test("each invalid message gets an error with its place, and the messages after it are answered", async () => {
  const lines = [
    '{"id":1,"method":"a"}',
    hello,
    hello,
    "{",
    "[]",
    '{"id":{},"method":"a"}',
    '{"id":2,"method":3}',
    '{"id":3,"method":"none"}',
    '{"id":4,"method":"check","params":{"items":[{"text":"a"},{}]}}',
    '{"id":5,"result":1}',
    '{"method":"whatever"}',
    '{"id":"six","method":"a"}',
  ];
  const answers = await serve(lines);
  expect(new Set(answers)).toEqual(
    new Set([
      fault(1, -32002, "send initialize first"),
      { id: 0, result: {} },
      fault(0, -32600, "send it once"),
      fault(null, -32700, "not JSON"),
      fault(null, -32600, "a JSON object"),
      fault(null, -32600, "id:"),
      fault(2, -32600, "method:"),
      fault(3, -32601, '"none"'),
      fault(4, -32602, "check: items[1].text: "),
      { method: "stray", params: { id: 5 } },
      { id: "six", result: {} },
    ]),
  );
});

test("256 requests are open at most; the rest is refused", async () => {
  const held = Promise.withResolvers<object>();
  let open = 0;
  const service = createService(async () => {
    if ((open += 1) === 256) setImmediate(() => held.resolve({}));
    return held.promise;
  });
  const lines = Array.from({ length: 300 }, (_, id) => `{"id":${id + 1},"method":"wait"}`);
  const answers = (await serve([hello, ...lines], service)) as readonly {
    readonly error?: { readonly code: number };
  }[];
  expect(answers.filter(({ error }) => error === undefined)).toHaveLength(257);
  expect(answers.filter(({ error }) => error?.code === -32001)).toHaveLength(44);
});

test("a notice that a client wants none of is not sent; a question is answered, refused, withdrawn or answered wrongly", async () => {
  const said: string[] = [];
  const withdrawal = new AbortController();
  const service = createService(async (client, method) => {
    client.notify({ method: "unwanted", params: {} });
    const { signal } = method === "withdrawn" ? withdrawal : new AbortController();
    const answer = client.ask("color", { method }, signal).then(String, (error: Error) => error.message);
    if (method === "withdrawn") withdrawal.abort(new Error("withdrawn"));
    said.push(`${method}: ${await answer}`);
    return {};
  });
  const asked = ["right", "wrong", "refused", "withdrawn", "gone"].map(
    (method, id) => `{"id":${id + 1},"method":"${method}"}`,
  );
  const answers = ['{"id":0,"result":"red"}', '{"id":1,"result":7}', '{"id":2,"error":{"code":1,"message":"no"}}'];
  const told = await serve([hello, ...asked, ...answers], service);
  expect(said.toSorted()).toEqual([
    "gone: The client is gone.",
    "refused: no",
    "right: red",
    "withdrawn: withdrawn",
    "wrong: color: params: Invalid input: expected string, received number",
  ]);
  expect(told.filter((message) => (message as Partial<Notice>).method === "resolved")).toHaveLength(5);
  expect(JSON.stringify(told)).not.toContain("unwanted");
});

test("a service waits for a client that reads one byte at a time, and buffers little", async () => {
  const line = "x".repeat(1000);
  let [made, most] = [0, 0];
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 8 * 1024 });
  const service = createService(async (client) => {
    for (; made < 200; made++) {
      client.notify({ method: "told", params: { line } });
      most = Math.max(most, output.writableLength + output.readableLength);
      await client.room();
    }
    return {};
  });
  const link: ClientConnection = { input, output, patienceMs: null, close: () => {} };
  const served = serveClient(link, service);
  input.write(`${hello}\n{"id":1,"method":"tell"}\n`);
  await new Promise<void>((resolve) => output.once("readable", resolve));
  for (let bytes = 0; bytes < 100; bytes++) {
    output.read(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(made).toBeLessThan(50);
  output.resume();
  input.end();
  await served;
  expect({ made, isBounded: most < 64 * 1024 }).toEqual({ made: 200, isBounded: true });
});

test("a client that takes nothing while others wait is given up", async () => {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 100 });
  const service = createService(async (client) => {
    for (let told = 0; !client.ended.aborted && told < 1000; told++) {
      client.notify({ method: "told", params: { line: "x".repeat(1000) } });
      await client.room();
    }
    return {};
  });
  const close = (): void => void input.destroy();
  const served = serveClient({ input, output, patienceMs: 20, close }, service);
  input.write(`${hello}\n{"id":1,"method":"tell"}\n`);
  await served;
  expect(input.destroyed).toBe(true);
});
