import { expect, test } from "vitest";
import { completed, startFaultServer, stream } from "./support/fault-server.ts";
import { collect, key, never, openClient, request } from "./support/open-client.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { startProxy } from "./support/proxy.ts";
import { createSelfSigned } from "@unroll/text/fixture/self-signed";

const done = { type: "completed", responseId: "resp_1", usage: null };
const tls = createSelfSigned();
const opened = "HTTP/1.1 200 Connection established\r\n\r\n";

test("a server whose certificate is given as an authority is reached over TLS", async () => {
  await using server = await startFaultServer([stream(completed)], tls);
  using client = openClient(server.origin, { ca: [tls.cert] });
  expect(await collect(client.stream(request, never))).toEqual({ events: [], outcome: done });
});

test("a certificate that is not trusted fails at once, and nothing is sent", async () => {
  await using server = await startFaultServer([stream(completed)], tls);
  using client = openClient(server.origin);
  const { events, outcome } = await collect(client.stream(request, never));
  expect(events).toEqual([]);
  expect(outcome).toMatchObject({
    type: "failed",
    error: {
      code: "connection_failed",
      message: `Could not reach ${new URL(server.origin).host}: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); check base_url, or start unroll with SSL_CERT_FILE=/path/to/authority.pem (or NODE_USE_SYSTEM_CA=1, if the system trusts it).`,
      retryable: false,
    },
  });
  expect(server.requests).toEqual([]);
});

test("an https: address that does not speak TLS is said to", async () => {
  await using server = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin.replace("http:", "https:"));
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toHaveProperty("error.message", expect.stringContaining("it does not speak TLS"));
});

test("a proxy of the environment is used, and no_proxy spares a host from it", async () => {
  await using server = await startFaultServer([stream(completed)], tls);
  await using proxy = await startProxy(opened, "tunnels");
  const { host } = new URL(server.origin);
  using client = openClient(server.origin, { ca: [tls.cert], proxyEnv: { HTTPS_PROXY: proxy.origin } });
  expect((await collect(client.stream(request, never))).outcome).toEqual(done);
  const spared = { HTTPS_PROXY: proxy.origin, no_proxy: host };
  using direct = openClient(server.origin, { ca: [tls.cert], proxyEnv: spared });
  expect((await collect(direct.stream(request, never))).outcome).toEqual(done);
  expect(proxy.asked).toEqual([`CONNECT ${host} HTTP/1.1`]);
});

test("a proxy that wants a password is named without the one it got", async () => {
  await using proxy = await startProxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "stalls");
  const proxyEnv = { https_proxy: proxy.origin.replace("://", "://user:secret-word@") };
  using client = openClient("https://127.0.0.1:9", { proxyEnv });
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toEqual({
    type: "failed",
    error: {
      code: "connection_failed",
      message: `Could not reach 127.0.0.1:9 through the proxy ${new URL(proxy.origin).host} (https_proxy): it opened no tunnel (ERR_PROXY_TUNNEL, 407); check its user and password.`,
      retryable: false,
    },
  });
  await proxy.allClosed();
});

test.each([
  { silent: "the proxy", reply: "" },
  { silent: "the server behind it", reply: opened },
])("a connection through a proxy that hangs because $silent is silent is closed at its time-out", async ({ reply }) => {
  await using proxy = await startProxy(reply, "stalls");
  const provider = { connectTimeoutMs: 9000, requestMaxRetries: 0 };
  using client = openClient("https://127.0.0.1:9", { proxyEnv: { https_proxy: proxy.origin }, provider });
  const collecting = collect(client.stream(request, never));
  while (proxy.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await client.clock.expire(9000);
  expect((await collecting).outcome).toMatchObject({
    type: "failed",
    error: {
      code: "connect_timeout",
      message: `127.0.0.1:9 could not be connected to through the proxy ${new URL(proxy.origin).host} (https_proxy) within 9 s; check the network, the proxy and base_url.`,
    },
  });
  await proxy.allClosed();
  expect(client.clock.armed).toBe(0);
});

test("an abort closes a connection that is still on its way through a proxy", async () => {
  await using proxy = await startProxy("", "stalls");
  const abort = new AbortController();
  using client = openClient("https://127.0.0.1:9", { proxyEnv: { https_proxy: proxy.origin } });
  const collecting = collect(client.stream(request, abort.signal));
  while (proxy.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  expect((await collecting).outcome).toEqual({ type: "aborted" });
  await proxy.allClosed();
});

test.each(["http://a b", "proxy.example:3128", "socks5://user:secret@127.0.0.1:1080", "http://", " http://a:1"])(
  "the proxy %j cannot be used: no request is sent, past it or through it",
  async (setting) => {
    await using server = await startFaultServer([stream(completed)]);
    using client = openClient(server.origin, { proxyEnv: { HTTP_PROXY: setting } });
    const { outcome } = await collect(client.stream(request, never));
    expect(outcome).toEqual({
      type: "failed",
      error: {
        code: "connection_failed",
        message:
          "The proxy in HTTP_PROXY cannot be used; write it as http://HOST:PORT, or unset HTTP_PROXY. SOCKS proxies are not supported.",
        retryable: false,
      },
    });
    expect(server.requests).toEqual([]);
    const spared = { HTTP_PROXY: setting, NO_PROXY: "other.example, 127.0.0.1" };
    using direct = openClient(server.origin, { proxyEnv: spared });
    expect((await collect(direct.stream(request, never))).outcome).toEqual(done);
  },
);

test("a proxy that refuses connections is named, not the server behind it", async () => {
  const proxy = await startFaultServer([]);
  const { host, port } = new URL(proxy.origin);
  await proxy[Symbol.asyncDispose]();
  const proxyEnv = { https_proxy: proxy.origin.replace("://", "://user:secret-word@") };
  using client = openClient("https://api.example", { proxyEnv, provider: { requestMaxRetries: 0 } });
  expect((await collect(client.stream(request, never))).outcome).toEqual({
    type: "failed",
    error: {
      code: "connection_failed",
      message: `Could not reach api.example through the proxy ${host} (https_proxy): connection refused (ECONNREFUSED, 127.0.0.1:${port}); check that it runs, or change https_proxy.`,
      retryable: true,
    },
  });
});

test("a plain http: server is reached through a proxy by its whole address", async () => {
  await using server = await startFaultServer([stream(completed)]);
  await using proxy = await startFaultServer([stream(completed)]);
  using client = openClient(server.origin, { proxyEnv: { http_proxy: proxy.origin } });
  expect((await collect(client.stream(request, never))).outcome).toEqual(done);
  expect(proxy.requests[0]).toMatchObject({
    url: `${server.origin}/v1/responses`,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(server.requests).toEqual([]);
});

test("an error whose body comes byte by byte is read for 5 seconds, not until its end", async () => {
  const dripping = Promise.withResolvers<void>();
  await using server = await startFaultServer([
    (response) => {
      const drip = setInterval(() => response.write("."), 1);
      response.writeHead(400).once("close", () => dripping.resolve(clearInterval(drip)));
    },
  ]);
  let seconds = 0;
  const clock = Object.assign(new ManualClock(), { elapsed: () => (seconds += 1) * 1000 });
  using client = openClient(server.origin, { clock });
  const { outcome } = await collect(client.stream(request, never));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "http_400", status: 400 } });
  await dripping.promise;
});
