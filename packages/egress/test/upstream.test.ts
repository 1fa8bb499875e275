import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import type { UpstreamProxy } from "@unroll/egress";
import { serveCompanyProxy } from "./fixture/company-proxy.ts";
import { exchange, hasOpenssl, makeCertificate, openProxy, openTunnel, serve } from "./fixture/egress-fixture.ts";

function by(port: number, scheme = "http"): () => UpstreamProxy {
  return () => ({ type: "proxy", url: new URL(`${scheme}://ann:p%40ss@127.0.0.1:${port}`) });
}

const user = `Basic ${Buffer.from("ann:p@ss").toString("base64")}`;

test.skipIf(!hasOpenssl)(
  "a tunnel leads through the company's proxy, which resolves the name; TLS passes untouched",
  async () => {
    await using company = await serveCompanyProxy();
    const certificate = makeCertificate(["a.test"]);
    await using server = await serve(createTlsServer(certificate, (socket) => socket.end("hello")));
    const authority = `a.test:${server.port}`;
    await using proxy = await openProxy({ allow: [authority], names: { "a.test": [] }, findProxy: by(company.port) });
    const socket = await proxy.open();
    expect(await openTunnel(socket, authority)).toBe("HTTP/1.1 200 Connection established");
    const tls = connectTls({ socket, servername: "a.test", ca: certificate.cert });
    const [text] = await once(tls, "data");
    tls.destroy();
    await proxy.until("host.closed");
    expect([String(text), company.asked, proxy.events]).toEqual([
      "hello",
      [`CONNECT ${authority} ${user}`],
      [
        { type: "host.allowed", host: "a.test", port: server.port, rule: authority },
        {
          type: "host.closed",
          host: "a.test",
          port: server.port,
          sentBytes: expect.any(Number),
          receivedBytes: expect.any(Number),
        },
      ],
    ]);
  },
);

test("a request of plain HTTP goes to the company's proxy with its whole URL", async () => {
  await using company = await serveCompanyProxy();
  await using proxy = await openProxy({ allow: ["a.test"], names: { "a.test": [] }, findProxy: by(company.port) });
  const text = await exchange(await proxy.open(), "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n");
  expect([text.split("\r\n\r\n")[1], company.asked]).toEqual([
    expect.stringContaining("a.test by the proxy"),
    [`GET http://a.test:80/x ${user}`],
  ]);
});

test.each([
  ["c.test", "c.test:443 is not among the hosts that commands may reach."],
  [
    "inner.test",
    "inner.test:443 has an address that is private, special or denied (10.0.0.1). It needs a rule that allows this address.",
  ],
])("%s is denied before the company's proxy hears of it", async (host, reason) => {
  await using company = await serveCompanyProxy();
  await using proxy = await openProxy({
    allow: ["inner.test"],
    names: { "inner.test": ["10.0.0.1"] },
    findProxy: by(company.port),
  });
  expect(await openTunnel(await proxy.open(), `${host}:443`)).toBe("HTTP/1.1 403 Forbidden");
  expect([company.asked, proxy.events]).toEqual([[], [expect.objectContaining({ type: "host.denied", reason })]]);
});

test("the client hears what the company's proxy did instead, without the user and password", async () => {
  await using company = await serveCompanyProxy((_, socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"));
  await using plain = await serve(createHttpServer());
  const texts: string[] = [];
  const settings: readonly UpstreamProxy[] = [
    by(company.port)(),
    by(plain.port, "https")(),
    by(1)(),
    { type: "unusable", reason: "https_proxy names no proxy of HTTP." },
  ];
  for (const setting of settings) {
    await using proxy = await openProxy({ allow: ["a.test"], names: { "a.test": [] }, findProxy: () => setting });
    const text = await exchange(await proxy.open(), "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n");
    texts.push(text.replace(/\r\n.*\r\n\r\n/s, ": ").trim());
  }
  const begin = "HTTP/1.1 502 Bad Gateway: ";
  const reach = `${begin}a.test:443 cannot be reached: the proxy 127.0.0.1:`;
  expect(texts).toEqual([
    `${reach}${company.port} answered with status 407 to CONNECT.`,
    expect.stringMatching(new RegExp(`^${reach}${plain.port} cannot be reached \\(.+\\)\\.$`)),
    expect.stringMatching(new RegExp(`^${reach}1 cannot be reached \\(ECONNREFUSED\\)\\.$`)),
    `${begin}https_proxy names no proxy of HTTP.`,
  ]);
  expect(texts.join()).not.toMatch(/ann:|p%40ss|p@ss/);
});
