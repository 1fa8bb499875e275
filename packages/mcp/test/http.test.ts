import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "./fixture/listen.ts";
import { openFixture, summarise, textOf } from "./fixture/open-fixture.ts";
import { serveEverything } from "./fixture/serve-everything.ts";
import { answerJson, openStream, serveHostile, toEvent } from "./fixture/serve-hostile.ts";
import { httpServer, toSecret } from "./fixture/servers.ts";

const mebibyte = 1024 * 1024;
const done = { content: [{ type: "text", text: "done" }] };

describe("a server over HTTP", () => {
  it("gets the headers and the bearer token with every request", async () => {
    const { url, requests } = await serveEverything();
    const { call, pool } = await openFixture({
      servers: [httpServer("web", url, { httpHeaders: { "x-key": toSecret("abc") }, bearerTokenEnvVar: "token-1" })],
    });
    await call("web", "echo", { message: "hi" });
    await pool[Symbol.asyncDispose]();
    expect(requests.length).toBeGreaterThan(3);
    for (const headers of requests) expect(headers).toMatchObject({ "x-key": "abc", authorization: "Bearer token-1" });
  });

  it("gets the end of its session", async () => {
    const { url, sessionCount } = await serveEverything();
    const graces = { goodbyeMs: 60_000 }; // a busy machine takes its time; nothing waits for it
    const { call, pool } = await openFixture({ servers: [httpServer("web", url)], graces });
    await call("web", "echo", { message: "hi" });
    expect(sessionCount()).toBe(1);
    await pool[Symbol.asyncDispose]();
    expect(sessionCount()).toBe(0);
  });

  it("that has forgotten its session gets the call again in a new one", async () => {
    const { url, forgetSessions } = await serveEverything();
    const { call, takeEvents } = await openFixture({ servers: [httpServer("web", url)] });
    await call("web", "echo", { message: "one" });
    await forgetSessions();
    takeEvents();
    expect(textOf(await call("web", "echo", { message: "two" }))).toBe("Echo: two");
    expect(summarise(takeEvents())).toEqual([
      "web: closed",
      "web: starting",
      "web.simulate-research-query: null",
      "web: ready",
    ]);
  });

  it("that repeats its address is quoted without the query, however short the key in it is", async () => {
    const address = await serveHostile((_request, response, { url }) => {
      response.writeHead(500).end(`Cannot POST ${url} at ${address}?key=SECRETQ#part`);
    });
    const { call } = await openFixture({ servers: [httpServer("web", `${address}?key=SECRETQ`)] });
    const { pathname } = new URL(address);
    expect(await call("web", "it")).toMatchObject({
      message: `MCP server "web": it answered with status 500: Cannot POST ${pathname} at ${address}#part.`,
    });
  });

  it("that does not exist cannot be reached, and the message has no secret of its address", async () => {
    const { call, takeEvents } = await openFixture({
      servers: [httpServer("web", "http://127.0.0.1:1/mcp?key=s3cr3t-key")],
    });
    const outcome = await call("web", "it");
    expect(outcome).toEqual({
      type: "failed",
      code: "unreachable",
      message: 'MCP server "web": it cannot be reached: bad port.',
    });
    expect(JSON.stringify(takeEvents())).not.toContain("s3cr3t");
  });

  it.for([
    [500, "it answered with status 500: the disk is full"],
    [404, "it answered with status 404: the disk is full"],
    [
      302,
      "it answered with status 302: Redirect to http://example.test/elsewhere not followed; use that URL as the endpoint if it is the intended server (redirectPolicy: 'same-origin')",
    ],
  ] as const)("that answers with status %d cannot be used", async ([status, reason]) => {
    const origin = await listen((_request, response) =>
      response.writeHead(status, { location: "http://example.test/elsewhere?token=x" }).end("the disk is full"),
    );
    const { call } = await openFixture({ servers: [httpServer("web", `${origin}/mcp`)] });
    expect(await call("web", "it")).toEqual({
      type: "failed",
      code: "unreachable",
      message: `MCP server "web": ${reason}.`,
    });
  });

  it("that wants a login says how to log in", async () => {
    const origin = await listen((_request, response) => response.writeHead(401).end());
    const { call } = await openFixture({
      servers: [
        httpServer("web", `${origin}/mcp`),
        httpServer("keyed", `${origin}/mcp`, { bearerTokenEnvVar: "old-token" }),
      ],
    });
    expect(await call("web", "it")).toMatchObject({
      code: "login_needed",
      message: 'MCP server "web": it wants a login: run unroll mcp login web.',
    });
    expect(await call("keyed", "it")).toMatchObject({
      code: "login_needed",
      message: 'MCP server "keyed": it wants a login: the bearer token is not good, check bearer_token_env_var.',
    });
  });

  it("that needs a header that HTTP does not allow is not contacted, and the message does not repeat the header", async () => {
    const { call } = await openFixture({
      servers: [httpServer("web", "http://127.0.0.1:1/mcp", { httpHeaders: { "x-key": toSecret("s3cr3t\nx") } })],
    });
    expect(await call("web", "it")).toEqual({
      type: "failed",
      code: "not_started",
      message:
        'MCP server "web": it has a header that HTTP does not allow: check its http_headers and the variables it names.',
    });
  });

  it("that is a web page is not an MCP server", async () => {
    const origin = await listen((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    );
    const { call } = await openFixture({ servers: [httpServer("web", origin)] });
    expect(await call("web", "it")).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("Unexpected content type: text/html"),
    });
  });

  it("that never answers its greeting is not ready in time", async () => {
    const origin = await listen(() => {});
    const { call } = await openFixture({ servers: [httpServer("web", origin, { startupTimeoutMs: 100 })] });
    expect(await call("web", "it")).toMatchObject({
      code: "timed_out",
      message: expect.stringContaining("or check its url"),
    });
  });
});

/** Resolves when more can be written, or nothing any more. */
async function drain(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const waits = ["drain", "close"].map((event) => once(response, event, { signal: over.signal }).catch(() => {}));
  await Promise.race(waits);
  over.abort();
}

describe("an answer over HTTP", () => {
  it.for(["application/json", "text/event-stream"])(
    "of 100 MB fails its call alone, in bounded memory (%s)",
    async (type) => {
      const chunk = "x".repeat(mebibyte);
      async function flood(response: ServerResponse): Promise<void> {
        response.writeHead(200, { "content-type": type });
        response.write(type === "application/json" ? '{"x":"' : "data: ");
        for (let megabyte = 0; megabyte < 100 && !response.destroyed; megabyte += 1) {
          if (!response.write(chunk)) await drain(response);
        }
        response.end();
      }
      let isFirst = true;
      const url = await serveHostile((request, response) => {
        if (!isFirst) return answerJson(response, request.id, done);
        isFirst = false;
        void flood(response);
      });
      const { ready, call } = await openFixture({ servers: [httpServer("web", url)] });
      await ready();
      const before = process.memoryUsage.rss();
      expect(await call("web", "it")).toEqual({
        type: "failed",
        code: "too_large",
        message: `MCP server "web": its answer is over the limit of ${10 * mebibyte} bytes.`,
      });
      expect(process.memoryUsage.rss() - before).toBeLessThan(100 * mebibyte);
      expect(textOf(await call("web", "it"))).toBe("done");
    },
  );

  it("in a long stream of small events is not a large response", async () => {
    const url = await serveHostile((request, response) => {
      openStream(response);
      for (let count = 0; count < 200; count += 1)
        response.write(toEvent({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(500) } }));
      response.end(toEvent({ jsonrpc: "2.0", id: request.id, result: done }));
    });
    const { call } = await openFixture({ servers: [httpServer("web", url)], maxMessageBytes: 20_000 });
    expect(textOf(await call("web", "it"))).toBe("done");
  });

  it.for(["ends", "breaks"])("whose stream %s without it fails its call at once", async (end) => {
    const url = await serveHostile((_request, response) => {
      openStream(response).write(": nothing\n\n", () => (end === "ends" ? response.end() : response.destroy()));
    });
    const { call } = await openFixture({ servers: [httpServer("web", url)] });
    expect(await call("web", "it")).toEqual({
      type: "failed",
      code: "unreachable",
      message: 'MCP server "web": it ended the connection without an answer.',
    });
  });

  it("whose connection breaks before it begins fails its call", async () => {
    const url = await serveHostile((_request, response) => response.destroy());
    const { call } = await openFixture({ servers: [httpServer("web", url)] });
    expect(await call("web", "it")).toEqual({
      type: "failed",
      code: "unreachable",
      message: 'MCP server "web": it cannot be reached: other side closed.',
    });
  });

  it.for(["application/json", "text/event-stream"])("that is nested without end is none (%s)", async (type) => {
    const result = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const url = await serveHostile(({ id }, response) => {
      const answer = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
      response
        .writeHead(200, { "content-type": type })
        .end(type === "application/json" ? answer : `data: ${answer}\n\n`);
    });
    const { call } = await openFixture({ servers: [httpServer("web", url)] });
    expect(await call("web", "it")).toMatchObject({ type: "failed" });
  });

  it("that is not JSON, or belongs to another request, is not accepted", async () => {
    const url = await serveHostile(({ id, params }, response) => {
      if (params?.name === "it") answerJson(response, id + 1_000, done);
    });
    const { call } = await openFixture({ servers: [httpServer("web", url)] });
    expect(await call("web", "it")).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("without an answer"),
    });
  });
});
