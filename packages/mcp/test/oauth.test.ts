import { randomUUID } from "node:crypto";
import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { logInToMcpServer, logOutOfMcpServer, type McpLoginOptions, type McpLoginOutcome } from "@unroll/mcp";
import { describe, expect, it } from "vitest";
import { listen } from "./fixture/listen.ts";
import { createFolder, never, openFixture, textOf, variables } from "./fixture/open-fixture.ts";
import { serveGuarded } from "./fixture/serve-guarded.ts";
import { httpServer } from "./fixture/servers.ts";
import { openTestTokens } from "./fixture/test-tokens.ts";

/** Logs in as a person with a browser would. */
async function logIn(folder: string, url: string, options: Partial<McpLoginOptions> = {}): Promise<McpLoginOutcome> {
  return logInToMcpServer({
    server: httpServer("guarded", url),
    variables,
    tokens: openTestTokens(folder),
    clientName: "unroll",
    openPage: async (page) => void (await fetch(page)).body?.cancel(),
    createState: randomUUID,
    signal: never,
    ...options,
  });
}

describe("a login", () => {
  it("lets the server be used, and is kept for its owner only", async () => {
    const { url, registrations, log } = await serveGuarded();
    const folder = join(await createFolder(), "tokens");
    expect(await logIn(folder, url)).toEqual({ type: "logged_in", notices: [] });
    expect(registrations).toMatchObject([
      {
        client_name: "unroll",
        redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
        token_endpoint_auth_method: "none",
      },
    ]);
    expect(log).toContain("/token authorization_code");
    const [file] = await readdir(folder);
    expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, file ?? ""))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);

    const { call } = await openFixture({ servers: [httpServer("guarded", url)], tokens: openTestTokens(folder) });
    expect(textOf(await call("guarded", "it"))).toBe("let in");
  });

  it("is done again with the scope that a call wanted, besides what was granted", async () => {
    const { url, scopes } = await serveGuarded({ callScope: "write" });
    const folder = await createFolder();
    const servers = [httpServer("guarded", url)];
    await logIn(folder, url);
    const before = await openFixture({ servers, tokens: openTestTokens(folder) });
    expect(await before.call("guarded", "it")).toEqual({
      type: "failed",
      code: "login_needed",
      message: 'MCP server "guarded": it wants a login that may do more (write): run unroll mcp login guarded.',
    });
    await logIn(folder, url);
    const after = await openFixture({ servers, tokens: openTestTokens(folder) });
    expect(textOf(await after.call("guarded", "it"))).toBe("let in");
    expect(scopes).toEqual(["tools", "tools write"]);
  });

  it("goes by the client, its secret and the scopes of the config, and registers none", async () => {
    const client = { id: "unroll-1", secret: "CLIENT_SECRET" };
    const { url, registrations, scopes } = await serveGuarded({ client, isClosed: true });
    const folder = await createFolder();
    const settings = { clientId: client.id, clientSecretEnvVar: client.secret, clientMetadataUrl: null };
    const server = httpServer("guarded", url, { oauth: { ...settings, scopes: ["tools", "offline"] } });
    expect(await logIn(folder, url, { server })).toEqual({ type: "logged_in", notices: [] });
    expect([registrations, scopes]).toEqual([[], ["tools offline"]]);
    const { call } = await openFixture({ servers: [server], tokens: openTestTokens(folder) });
    expect(textOf(await call("guarded", "it"))).toBe("let in");
    const outcome = await logIn(folder, url, { server, variables: { credential: () => null } });
    expect(outcome).toEqual({
      type: "failed",
      message: 'MCP server "guarded": CLIENT_SECRET is not set: it must hold the secret of its OAuth client.',
    });
  });

  it("at a server of 2025-03-26 accepts the issuer that its own origin names, and is renewed and revoked there", async () => {
    const { url, log, expireTokens } = await serveGuarded({ issuer: { id: "https://login.example", isLegacy: true } });
    const tokens = openTestTokens(await createFolder());
    expect(await logIn("", url, { tokens })).toEqual({ type: "logged_in", notices: [] });
    const { ready, call } = await openFixture({ servers: [httpServer("guarded", url)], tokens });
    await ready();
    expireTokens();
    expect(textOf(await call("guarded", "it"))).toBe("let in");
    expect(log).toContain("/token refresh_token");
    const outcome = await logOutOfMcpServer({ server: "guarded", tokens, signal: never });
    expect(outcome).toEqual({ type: "logged_out", isRevoked: true });
  });

  it("refuses another issuer than the one that the resource metadata names", async () => {
    const { url, registrations } = await serveGuarded({ issuer: { id: "https://login.example", isLegacy: false } });
    expect(await logIn(await createFolder(), url)).toMatchObject({
      type: "failed",
      message: expect.stringContaining("Issuer mismatch in authorization server metadata (RFC 8414"),
    });
    expect(registrations).toEqual([]);
  });

  it("closes a file that was open to others", async () => {
    const { url } = await serveGuarded();
    const folder = await createFolder();
    await writeFile(join(folder, "guarded.json"), "{}");
    await chmod(join(folder, "guarded.json"), 0o644);
    await logIn(folder, url);
    expect((await stat(join(folder, "guarded.json"))).mode & 0o777).toBe(0o600);
  });

  it("that the person refuses is none", async () => {
    const { url } = await serveGuarded({ person: "refuses" });
    expect(await logIn(await createFolder(), url)).toEqual({
      type: "failed",
      message: 'MCP server "guarded": the login was refused: access_denied.',
    });
  });

  it("that the person never comes back from ends with the signal", async () => {
    const { url } = await serveGuarded();
    const abort = new AbortController();
    const openPage = async (): Promise<void> => abort.abort();
    expect(await logIn(await createFolder(), url, { openPage, signal: abort.signal })).toEqual({ type: "cancelled" });
  });

  it("takes no code from a visitor without its state", async () => {
    const { url } = await serveGuarded();
    const statuses: number[] = [];
    const outcome = await logIn(await createFolder(), url, {
      async openPage(page) {
        const callback = new URL(page).searchParams.get("redirect_uri");
        for (const visit of [
          `${callback}?code=forged`,
          `${callback}?code=forged&state=x`,
          `${callback}?error=x`,
          new URL("/", callback ?? "").href,
        ])
          statuses.push((await fetch(visit)).status);
        await (await fetch(page)).body?.cancel();
      },
    });
    expect(statuses).toEqual([400, 400, 400, 400]);
    expect(outcome).toEqual({ type: "logged_in", notices: [] });
  });

  it("at a server where nobody can register says so", async () => {
    const { url } = await serveGuarded({ isClosed: true });
    expect(await logIn(await createFolder(), url)).toMatchObject({
      type: "failed",
      message: expect.stringContaining("does not support dynamic client registration"),
    });
  });

  it("at a server without OAuth says so", async () => {
    const origin = await listen((_request, response) => response.writeHead(404).end());
    expect(await logIn(await createFolder(), `${origin}/mcp`)).toMatchObject({
      type: "failed",
      message: expect.stringContaining("bearer_token_env_var"),
    });
  });

  it("is not possible where the server is not there", async () => {
    expect(await logIn(await createFolder(), "http://127.0.0.1:1/mcp")).toMatchObject({ type: "failed" });
  });
});

describe("a token that has expired", () => {
  it("is renewed once for all requests, and the new one is kept", async () => {
    const { url, log, expireTokens } = await serveGuarded();
    const folder = await createFolder();
    await logIn(folder, url);
    const before = await readFile(join(folder, "guarded.json"), "utf8");
    const { ready, call } = await openFixture({
      servers: [httpServer("guarded", url)],
      tokens: openTestTokens(folder),
    });
    await ready();
    expireTokens();
    const outcomes = await Promise.all([1, 2, 3].map(() => call("guarded", "it")));
    expect(outcomes.map(textOf)).toEqual(["let in", "let in", "let in"]);
    expect(log.filter((entry) => entry === "/token refresh_token")).toHaveLength(1);
    expect(await readFile(join(folder, "guarded.json"), "utf8")).not.toBe(before);
  });

  it("that another process has renewed is not renewed again", async () => {
    const { url, log, expireTokens } = await serveGuarded();
    const folder = await createFolder();
    await logIn(folder, url);
    const open = async (): ReturnType<typeof openFixture> =>
      openFixture({ servers: [httpServer("guarded", url)], tokens: openTestTokens(folder) });
    const [one, other] = [await open(), await open()];
    await Promise.all([one.ready(), other.ready()]);
    expireTokens();
    expect(textOf(await one.call("guarded", "it"))).toBe("let in");
    expect(textOf(await other.call("guarded", "it"))).toBe("let in");
    expect(log.filter((entry) => entry === "/token refresh_token")).toHaveLength(1);
  });

  it("and cannot be renewed needs a login", async () => {
    const { url, log, revokeTokens } = await serveGuarded();
    const folder = await createFolder();
    await logIn(folder, url);
    const registrations = log.filter((entry) => entry === "/register").length;
    const { ready, call } = await openFixture({
      servers: [httpServer("guarded", url)],
      tokens: openTestTokens(folder),
    });
    await ready();
    revokeTokens();
    expect(await call("guarded", "it")).toEqual({
      type: "failed",
      code: "login_needed",
      message: 'MCP server "guarded": it wants a login: run unroll mcp login guarded.',
    });
    expect(log.filter((entry) => entry === "/register")).toHaveLength(registrations);
  });
});

describe("the tokens of a login", () => {
  it("are sent to no other address", async () => {
    const { url } = await serveGuarded();
    const folder = await createFolder();
    await logIn(folder, url);
    const seen: (string | undefined)[] = [];
    const origin = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    const { call } = await openFixture({
      servers: [httpServer("guarded", `${origin}/mcp`)],
      tokens: openTestTokens(folder),
    });
    expect(await call("guarded", "it")).toMatchObject({ code: "login_needed" });
    expect(seen).toEqual([undefined]);
  });

  it.for(["no JSON", "{}", '{"address":1}'])("that cannot be read (%s) count as none", async (content) => {
    const { url } = await serveGuarded();
    const folder = await createFolder();
    await writeFile(join(folder, "guarded.json"), content);
    const { call } = await openFixture({ servers: [httpServer("guarded", url)], tokens: openTestTokens(folder) });
    expect(await call("guarded", "it")).toMatchObject({ code: "login_needed" });
  });
});

describe("a logout", () => {
  it("forgets the login, here and at the authorization server", async () => {
    const { url, log } = await serveGuarded();
    const folder = await createFolder();
    const tokens = openTestTokens(folder);
    await logIn(folder, url);
    expect(await logOutOfMcpServer({ server: "guarded", tokens, signal: never })).toEqual({
      type: "logged_out",
      isRevoked: true,
    });
    expect(log.at(-1)).toBe("/revoke");
    expect(await readdir(folder)).toEqual([]);
    expect(await logOutOfMcpServer({ server: "guarded", tokens, signal: never })).toEqual({ type: "not_logged_in" });
  });

  it("forgets it here where the authorization server cannot be reached", async () => {
    const { url } = await serveGuarded();
    const folder = await createFolder();
    const tokens = openTestTokens(folder);
    await logIn(folder, url);
    expect(await logOutOfMcpServer({ server: "guarded", tokens, signal: AbortSignal.abort() })).toEqual({
      type: "logged_out",
      isRevoked: false,
    });
    expect(await tokens.read("guarded")).toBeNull();
  });
});
