import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { answerStateless, type StatelessRequest } from "./fixture/answer-stateless.ts";
import { listen } from "./fixture/listen.ts";
import { openFixture, textOf } from "./fixture/open-fixture.ts";
import { httpServer, stdioServer } from "./fixture/servers.ts";

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly request: StatelessRequest;
}

/** A service that keeps nothing between two requests, and all that it was asked. */
async function serve(): Promise<{ readonly url: string; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = JSON.parse(await text(message)) as StatelessRequest;
    seen.push({ headers: message.headers, request });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answerStateless(request)));
  }
  const origin = await listen((message, response) => void handle(message, response));
  return { url: `${origin}/mcp`, seen };
}

describe("a server of the stateless protocol (2026-07-28)", () => {
  it("is not greeted: each request says the revision and who asks, and a call has its headers", async () => {
    const { url, seen } = await serve();
    const { ready, call, takeEvents } = await openFixture({ servers: [httpServer("web", url)] });
    expect((await ready()).map(({ tool }) => tool)).toEqual(["ask", "it"]);
    expect(takeEvents()).toContainEqual({
      type: "mcp.tool_adapted",
      server: "web",
      tool: "torn",
      name: null,
      reason: 'arguments.region: "no header" is no name of a header',
    });
    expect(textOf(await call("web", "it", { region: "north" }))).toBe("north");
    expect(seen.map(({ request }) => request.method)).toEqual(["server/discover", "tools/list", "tools/call"]);
    for (const { headers, request } of seen) {
      expect(headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": request.method });
      expect(request.params?._meta).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "unroll-test", version: "0" },
      });
    }
    expect(seen.at(-1)?.headers).toMatchObject({ "mcp-name": "it", "mcp-param-region": "north" });
  });

  it("asks the person by the answer to a call, which is made again with theirs", async () => {
    const { url } = await serve();
    const { call } = await openFixture({
      servers: [httpServer("web", url)],
      elicit: async () => ({ type: "accepted", values: { colour: "red" } }),
    });
    expect(JSON.parse(textOf(await call("web", "ask")))).toEqual({
      inputResponses: { colour: { action: "accept", content: { colour: "red" } } },
      requestState: "sealed",
    });
  });

  it("is asked as such where it is a program that knows no greeting", async () => {
    const program = join(import.meta.dirname, "fixture/stateless-server.ts");
    const { call } = await openFixture({ servers: [stdioServer("local", [program])] });
    expect(textOf(await call("local", "it", { region: "south" }))).toBe("south");
  });
});
