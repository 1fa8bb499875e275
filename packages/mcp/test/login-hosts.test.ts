import { randomUUID } from "node:crypto";
import { logInToMcpServer, type McpLoginOptions, type McpLoginOutcome } from "@unroll/mcp";
import { describe, expect, it } from "vitest";
import { listen } from "./fixture/listen.ts";
import { createFolder, never, variables } from "./fixture/open-fixture.ts";
import { serveGuarded } from "./fixture/serve-guarded.ts";
import { httpServer } from "./fixture/servers.ts";
import { openTestTokens } from "./fixture/test-tokens.ts";

/** An MCP server at the name `localhost` that says who knows about its logins. */
async function serveNaming(metadata: string): Promise<string> {
  const origin = await listen((_request, response) =>
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end(),
  );
  return `${origin.replace("127.0.0.1", "localhost")}/mcp`;
}

/** As if `localhost` were a host of the internet. */
const publicly = async (): Promise<readonly string[]> => ["203.0.113.7"];

async function logIn(url: string, options: Partial<McpLoginOptions> = {}): Promise<McpLoginOutcome> {
  return logInToMcpServer({
    server: httpServer("guarded", url),
    variables,
    tokens: openTestTokens(await createFolder()),
    clientName: "unroll",
    openPage: async (page) => void (await fetch(page)).body?.cancel(),
    createState: randomUUID,
    signal: never,
    ...options,
  });
}

describe("a host that a server names for its login", () => {
  it.for([
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "192.168.1.1",
    "[::1]",
    "[fd00::1]",
    "[fe80::1]",
    "[::ffff:127.0.0.1]",
  ])("is not asked at the local address %s where the server is public", async (host) => {
    const hosts: string[] = [];
    const url = await serveNaming(`https://${host}:8443/x`);
    const outcome = await logIn(url, { resolveHost: publicly, onHost: (each) => hosts.push(each) });
    const named = new URL(`https://${host}:8443`).host;
    expect(outcome).toEqual({
      type: "failed",
      message: expect.stringContaining(`it names ${named} for its login, which is at the local address `),
    });
    expect(hosts).toEqual([]);
  });

  it("is not asked where its name leads to a local address", async () => {
    const url = await serveNaming("https://inside.test/x");
    const resolveHost = async (host: string): Promise<readonly string[]> =>
      host === "inside.test" ? ["203.0.113.8", "192.168.7.7"] : ["203.0.113.7"];
    expect(await logIn(url, { resolveHost })).toEqual({
      type: "failed",
      message:
        'MCP server "guarded": it names inside.test for its login, which is at the local address 192.168.7.7 although the server is not: it was not asked.',
    });
  });

  it.for(["http", "ftp"])("is not asked over %s", async (scheme) => {
    const url = await serveNaming(`${scheme}://auth.test/x`);
    expect(await logIn(url, { resolveHost: publicly })).toEqual({
      type: "failed",
      message: 'MCP server "guarded": it names auth.test for its login, but not over https: it was not asked.',
    });
  });

  it("is not asked where the server's own host redirects there", async () => {
    let origin = "";
    origin = await listen((request, response) => {
      if (request.url === "/mcp")
        response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${origin}/x"` });
      else response.writeHead(302, { location: "https://10.0.0.1/x" });
      response.end();
    });
    origin = origin.replace("127.0.0.1", "localhost");
    expect(await logIn(`${origin}/mcp`, { resolveHost: publicly })).toMatchObject({
      message: expect.stringContaining("it names 10.0.0.1 for its login"),
    });
  });

  it("is contacted if server and host are both on this machine, after the user was shown it", async () => {
    const guarded = await serveGuarded();
    const { origin } = new URL(guarded.url);
    const url = await serveNaming(`${origin}/.well-known/oauth-protected-resource/mcp`);
    const hosts: string[] = [];
    await logIn(url, { onHost: (host) => hosts.push(host) });
    expect(hosts).toEqual([new URL(origin).host]);
    expect(guarded.log).toContain("/.well-known/oauth-protected-resource/mcp");
  });
});
