import { expect, test } from "vitest";
import {
  completed,
  cutStream,
  delta,
  failed,
  garbage,
  hangUp,
  json,
  neverAnswer,
  openStream,
  startFaultServer,
  stream,
  type Answer,
  whole,
} from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

const done = { type: "completed", responseId: "resp_1", usage: null };

function error(code: string, message: string, rest: object = {}): Answer {
  return json(429, { error: { code, message, ...rest } });
}

test("a server of this machine that drops a connection may have no descriptor left for it", async () => {
  await using server = await startFaultServer(Array.from({ length: 9 }, () => hangUp));
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining("(ulimit -n)") as string } });
});

test.each<{ fault: string; answer: Answer; code: string; kind: "request" | "stream"; delayMs?: number }>([
  { fault: "500", answer: json(500, { error: { type: "server_error" } }), code: "server_error", kind: "request" },
  {
    fault: "503 with a page",
    answer: (response) => response.writeHead(503).end("<html>"),
    code: "http_503",
    kind: "request",
  },
  { fault: "a reset before the answer", answer: hangUp, code: "connection_failed", kind: "request" },
  {
    fault: "429",
    answer: error("rate_limit_exceeded", "Slow down."),
    code: "rate_limit_exceeded",
    kind: "request",
    delayMs: 2000,
  },
  {
    fault: "429 by a name of the server's own",
    answer: error("too_many_tokens", "Slow down."),
    code: "http_429",
    kind: "request",
    delayMs: 2000,
  },
  {
    fault: "429 with retry-after in seconds",
    answer: json(429, {}, { "retry-after": "7" }),
    code: "http_429",
    kind: "request",
    delayMs: 7000,
  },
  {
    fault: "429 with retry-after as a date",
    answer: json(429, {}, { "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT" }),
    code: "http_429",
    kind: "request",
    delayMs: 30_000,
  },
  {
    fault: "429 with retry-after-ms",
    answer: json(429, {}, { "retry-after-ms": "12.5", "retry-after": "9" }),
    code: "http_429",
    kind: "request",
    delayMs: 12.5,
  },
  {
    fault: "429 that says when in words",
    answer: error("rate_limit_exceeded", "Limit 30000. Please try again in 1.5s. Visit us."),
    code: "rate_limit_exceeded",
    kind: "request",
    delayMs: 1500,
  },
  {
    fault: "429 that asks for an hour",
    answer: json(429, {}, { "retry-after": "3600" }),
    code: "http_429",
    kind: "request",
    delayMs: 120_000,
  },
  { fault: "a stream that is cut", answer: cutStream(delta("lost")), code: "stream_cut", kind: "stream" },
  { fault: "a stream that ends early", answer: stream(delta("lost")), code: "stream_cut", kind: "stream" },
  {
    fault: "server_error in the stream",
    answer: stream(delta("lost"), failed("server_error", "Oops.")),
    code: "server_error",
    kind: "stream",
  },
  {
    fault: "a failure without an error",
    answer: stream({ type: "response.failed", response: { id: "r", error: null } }),
    code: "server_error",
    kind: "stream",
  },
  {
    fault: "rate_limit_exceeded in the stream",
    answer: openStream(failed("rate_limit_exceeded", "Please try again in 20ms.")),
    code: "rate_limit_exceeded",
    kind: "stream",
    delayMs: 20,
  },
  {
    fault: "an error event",
    answer: stream({ type: "error", error: { type: "server_error", message: "Try again in 1m3s" } }),
    code: "server_error",
    kind: "stream",
    delayMs: 63_000,
  },
  {
    fault: "an overload that comes as an error event",
    answer: stream({ type: "error", code: "server_is_overloaded", message: "Our servers are busy." }),
    code: "server_is_overloaded",
    kind: "stream",
    delayMs: 2000,
  },
  {
    fault: "an overload in the words of other servers",
    answer: stream({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    code: "overloaded_error",
    kind: "stream",
    delayMs: 2000,
  },
])("$fault is tried again", async ({ answer, code, kind, delayMs = 200 }) => {
  await using server = await startFaultServer([answer, stream(delta("kept"), completed)]);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  const retry = { type: "stream.retrying", attempt: 1, maxAttempts: kind === "request" ? 4 : 5, delayMs };
  const after = events.slice(events.findIndex((event) => event.type === "stream.retrying"));
  expect(after).toMatchObject([{ ...retry, cause: { code, retryable: true } }, delta("kept"), whole("kept")]);
  expect(outcome).toEqual(done);
  expect(client.clock.slept).toEqual([delayMs]);
  expect(server.requests.map(({ body }) => body)).toEqual(Array(2).fill('{"model":"m","input":["ü"]}'));
});

test.each<{ fault: string; answer: Answer; code: string; message: string; status?: number; refusal?: object }>([
  {
    fault: "400",
    answer: json(400, {
      error: { type: "invalid_request_error", code: "invalid_value", message: "Invalid 'input[3]'." },
    }),
    code: "invalid_value",
    message: "HOST refused the request (400): Invalid 'input[3]'.",
    status: 400,
  },
  {
    fault: "429 usage_limit_reached",
    answer: json(429, { error: { type: "usage_limit_reached", message: "The usage limit has been reached" } }),
    code: "usage_limit_reached",
    message:
      "HOST accepts no more requests for now (429): The usage limit has been reached. Check the plan and the billing of the account.",
    status: 429,
  },
  {
    fault: "429 insufficient_quota",
    answer: error("insufficient_quota", "You exceeded your quota."),
    code: "insufficient_quota",
    message:
      "HOST accepts no more requests for now (429): You exceeded your quota. Check the plan and the billing of the account.",
    status: 429,
  },
  {
    fault: "401",
    answer: json(401, { error: { code: "invalid_api_key", message: "Bad key." } }),
    code: "unauthorized",
    message: "HOST did not accept the credential (401): Bad key. Check the key.",
    status: 401,
  },
  {
    fault: "404 in the words of another server",
    answer: json(404, { detail: "Not\n\u001B[31mFound" }),
    code: "http_404",
    message: "HOST refused the request (404): Not [31mFound. Check base_url and the name of the model.",
    status: 404,
  },
  {
    fault: "a redirect",
    answer: (response) => response.writeHead(308, { location: "https://other.example/v1" }).end(),
    code: "http_308",
    message: "HOST redirects to other.example (308). Set base_url to the address it redirects to.",
    status: 308,
  },
  {
    fault: "a page instead of a stream",
    answer: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    code: "invalid_answer",
    message:
      "HOST answered with text/html where an event stream was expected. Check that base_url names a Responses API.",
    status: 200,
  },
  {
    fault: "JSON instead of a stream",
    answer: json(200, { error: "no such model" }),
    code: "invalid_answer",
    message:
      "HOST answered with application/json where an event stream was expected: no such model. Check that base_url names a Responses API.",
    status: 200,
  },
  {
    fault: "an answer that is not HTTP",
    answer: garbage("SSH-2.0-OpenSSH\r\n"),
    code: "invalid_answer",
    message:
      "Could not reach HOST: its answer is not HTTP (HPE_INVALID_CONSTANT); check that base_url names a model server.",
  },
  {
    fault: "context_length_exceeded",
    answer: stream(delta("a"), failed("context_length_exceeded", "Your input exceeds the context window.")),
    code: "context_length_exceeded",
    message: "HOST could not finish its answer (context_length_exceeded): Your input exceeds the context window.",
    refusal: { type: "overflow", contextWindow: null, requestTokens: null },
  },
  {
    fault: "a 500 about an image in the conversation",
    answer: json(500, { error: { code: 500, message: "image input is not supported", type: "server_error" } }),
    code: "content_refused",
    message:
      "HOST could not answer (500): image input is not supported. The thread has an image, but this server accepts no images.",
    status: 500,
    refusal: { type: "content", kind: "image" },
  },
  {
    fault: "a 400 that names a member",
    answer: json(400, {
      error: { code: "unknown_parameter", message: "Unknown parameter: 'include'.", param: "include" },
    }),
    code: "unknown_parameter",
    message: "HOST refused the request (400): Unknown parameter: 'include'.",
    status: 400,
    refusal: { type: "member", paths: ["include"] },
  },
  {
    fault: "an overflow that comes as JSON with 200",
    answer: json(200, { error: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" }),
    code: "context_length_exceeded",
    message: "HOST refused the request (200): Cannot truncate prompt with n_keep (15028) >= n_ctx (7424).",
    status: 200,
    refusal: { type: "overflow", contextWindow: 7424, requestTokens: 15_028 },
  },
  {
    fault: "an answer that stops at a limit",
    answer: stream({
      type: "response.incomplete",
      response: { id: "r", incomplete_details: { reason: "max_output_tokens" } },
    }),
    code: "incomplete",
    message: "HOST stopped before its answer was complete (max_output_tokens). Ask for less, or in other words.",
  },
  {
    fault: "a last event that is malformed",
    answer: stream({ type: "response.completed", response: null }),
    code: "invalid_answer",
    message: "HOST could not finish its answer (invalid_answer): its event response.completed is malformed.",
  },
])("$fault fails at once with its reason", async ({ answer, code, message, status, refusal }) => {
  await using server = await startFaultServer([answer]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toEqual({
    type: "failed",
    error: {
      code,
      message: message.replace("HOST", new URL(server.origin).host),
      retryable: false,
      ...(status && { status }),
      ...(refusal && { refusal }),
    },
  });
  expect(server.requests.length).toBe(1);
});

test("each kind of failure has its own retries, with longer and longer waits, and then the request fails", async () => {
  const unavailable = json(503, { error: { message: "Overloaded." } }, { "x-request-id": "req_7" });
  await using server = await startFaultServer([unavailable, cutStream(delta("a")), unavailable, unavailable]);
  using client = openClient(server.origin, { provider: { requestMaxRetries: 2, streamMaxRetries: 1 } });
  const { events, outcome } = await collect(client.stream(request, never));
  const { host } = new URL(server.origin);
  const error = {
    code: "http_503",
    message: `${host} could not answer (503): Overloaded. Try again later.`,
    retryable: true,
    status: 503,
    requestId: "req_7",
  };
  const cut = {
    code: "stream_cut",
    message: `${host} ended its answer before it was complete; try again.`,
    retryable: true,
  };
  expect(events).toEqual([
    { type: "stream.retrying", attempt: 1, maxAttempts: 2, delayMs: 200, cause: error },
    delta("a"),
    { type: "stream.retrying", attempt: 1, maxAttempts: 1, delayMs: 200, cause: cut },
    { type: "stream.retrying", attempt: 2, maxAttempts: 2, delayMs: 400, cause: error },
  ]);
  expect(outcome).toEqual({ type: "failed", error });
  expect(client.clock.slept).toEqual([200, 200, 400]);
});

test("a limit by the minute is outwaited by four tries, and a wait that is shorter than asked for says so", async () => {
  const busy = json(429, {});
  await using server = await startFaultServer([busy, busy, busy, json(429, {}, { "retry-after": "3600" }), busy]);
  using client = openClient(server.origin);
  const { events } = await collect(client.stream(request, never));
  expect(client.clock.slept).toEqual([2000, 4000, 8000, 120_000]);
  const { host } = new URL(server.origin);
  expect(events.at(-1)).toMatchObject({
    cause: {
      message: `${host} accepts no more requests for now (429). Try again later. It asks to wait 3600 s; 120 s is the longest wait.`,
    },
  });
});

test("retries are at most 100, and a wait without a word from the server at most about 30 s", async () => {
  await using server = await startFaultServer([json(500, {})]);
  using client = openClient(server.origin, { provider: { requestMaxRetries: 1000 }, random: () => 0.99 });
  await collect(client.stream(request, never));
  expect(client.clock.slept.length).toBe(100);
  expect(client.clock.slept.slice(0, 3)).toEqual([220, 439, 878]);
  expect(Math.max(...client.clock.slept)).toBe(32_940);
});

test("no retries are made where none are wanted", async () => {
  await using server = await startFaultServer([json(500, {})]);
  using client = openClient(server.origin, { provider: { requestMaxRetries: 0 } });
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toEqual([]);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "http_500", retryable: true } });
});

test.each<{ code: string; answer: Answer; timeouts: object; delayMs: number; says: string }>([
  {
    code: "first_byte_timeout",
    answer: neverAnswer,
    timeouts: { firstByteTimeoutMs: 40_000 },
    delayMs: 40_000,
    says: "took the request and did not begin to answer within 40 s; try again later, or raise response_timeout_ms.",
  },
  {
    code: "idle_timeout",
    answer: openStream(delta("a")),
    timeouts: { idleTimeoutMs: 50_000 },
    delayMs: 50_000,
    says: "sent no event for 50 s in its answer; try again, or raise stream_idle_timeout_ms.",
  },
])(
  "a server that is silent too long is a $code, and tried again",
  async ({ code, answer, timeouts, delayMs, says }) => {
    await using server = await startFaultServer([answer, stream(completed)]);
    using client = openClient(server.origin, { provider: timeouts });
    const collecting = collect(client.stream(request, never));
    await client.clock.expire(delayMs);
    const { events, outcome } = await collecting;
    const message = `${new URL(server.origin).host} ${says}`;
    expect(events.at(-1)).toMatchObject({ type: "stream.retrying", cause: { code, message, retryable: true } });
    expect(outcome).toEqual(done);
    client.close();
    await server.allClosed();
  },
);

test("an error whose body does not come is reported by its status", async () => {
  await using server = await startFaultServer([
    (response) => response.writeHead(400, { "content-length": "10" }).flushHeaders(),
  ]);
  using client = openClient(server.origin);
  const collecting = collect(client.stream(request, never));
  await client.clock.expire(5000);
  const { outcome } = await collecting;
  expect(outcome).toMatchObject({ type: "failed", error: { code: "http_400", status: 400 } });
  await server.allClosed();
});

test("a server that is not there is tried again, and then named", async () => {
  const server = await startFaultServer([]);
  await server[Symbol.asyncDispose]();
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  const { host } = new URL(server.origin);
  expect(events.length).toBe(4);
  expect(outcome).toEqual({
    type: "failed",
    error: {
      code: "connection_failed",
      message: `Could not reach ${host}: connection refused (ECONNREFUSED, ${host}); check that the server is running and that base_url is right.`,
      retryable: true,
    },
  });
});

test.each([
  { baseUrl: "not a url", reason: "its address is malformed (ERR_INVALID_URL); make base_url an http: or https: URL." },
  {
    baseUrl: "ftp://x/",
    reason: "its address is malformed (ERR_INVALID_PROTOCOL); make base_url an http: or https: URL.",
  },
])("a base_url like $baseUrl is a failure, not an exception", async ({ baseUrl, reason }) => {
  using client = openClient("", { provider: { baseUrl } });
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "connection_failed", retryable: false } });
  expect(outcome).toHaveProperty("error.message", expect.stringContaining(reason));
});
