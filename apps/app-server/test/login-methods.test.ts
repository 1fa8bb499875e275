import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { browse } from "@unroll/auth/fixture/browse";
import { serveOauth } from "@unroll/auth/fixture/serve-oauth";
import { serveGuarded } from "@unroll/mcp/fixture/serve-guarded";
import { expect, test } from "vitest";
import { openServerWorld, runTurn, threadOf } from "./server-world.ts";

/** A server to log in at, and an app-server that nobody is logged in to. */
async function openLoginWorld() {
  const oauth = await serveOauth();
  const world = await openServerWorld({ script: { turns: [] } });
  const config = [`login.issuer=${oauth.issuer}`, `login.client_id=${oauth.clientId}`, "model_provider=openai"];
  const server = await world.open({ config });
  const stack = new AsyncDisposableStack();
  stack.use(oauth);
  stack.use(world);
  return {
    server,
    oauth,
    readFile: async () => JSON.parse(await readFile(join(world.home, ".codex/auth.json"), "utf8")) as unknown,
    account: async () => (await server.request("account/read")).result?.["account"],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test("the user logs in on the page that the client shows, and out again; no notification has a token", async () => {
  await using world = await openLoginWorld();
  const { server } = world;
  expect(await world.account()).toBeNull();
  const started = await server.request("account/login/start", { type: "chatgpt" });
  const { loginId, authUrl } = started.result as { readonly loginId: string; readonly authUrl: string };
  expect(server.told.at(-1)?.method).toBeUndefined();
  expect((await browse(authUrl)).status).toBe(200);
  const end = await server.find(({ method }) => method === "account/login/completed");
  expect(end.params).toEqual({ loginId, success: true, error: null });
  expect((await server.find(({ method }) => method === "account/updated")).params).toEqual({ authMode: "chatgpt" });
  expect(await world.account()).toEqual({ type: "chatgpt", email: "ann@example.com", planType: "unknown" });
  const { tokens } = (await world.readFile()) as { readonly tokens: Readonly<Record<string, string>> };
  for (const token of [tokens["access_token"], tokens["refresh_token"], tokens["id_token"]])
    expect(JSON.stringify(server.told)).not.toContain(token);
  expect((await server.request("account/logout")).result).toEqual({});
  expect(world.oauth.log.at(-1)).toBe("POST /token/revocation");
  expect(await world.account()).toBeNull();
});

test("a login by a code is shown, and ends when the client cancels it; an unknown login is not found", async () => {
  await using world = await openLoginWorld();
  const { server } = world;
  const started = await server.request("account/login/start", { type: "chatgptDeviceCode" });
  expect(started.result).toMatchObject({
    type: "chatgptDeviceCode",
    verificationUrl: expect.stringMatching(/^http/) as string,
    userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
  });
  const { loginId } = started.result as { readonly loginId: string };
  expect((await server.request("account/login/cancel", { loginId })).result).toEqual({ status: "canceled" });
  const end = await server.find(({ method }) => method === "account/login/completed");
  expect(end.params).toMatchObject({ loginId, success: false });
  expect((await server.request("account/login/cancel", { loginId })).result).toEqual({ status: "notFound" });
  expect(await world.account()).toBeNull();
});

test("forced_login_method refuses the other way in, before anybody is asked", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open({ config: ["forced_login_method=chatgpt", "model_provider=openai"] });
  const { error } = await server.request("account/login/start", { type: "apiKey", apiKey: "sk-of-ann" });
  expect(error?.message).toContain('forced_login_method is "chatgpt"');
  await expect(readFile(join(world.home, ".codex/auth.json"))).rejects.toThrow("ENOENT");
});

test("a key is kept as the login", async () => {
  await using world = await openLoginWorld();
  const { server } = world;
  const key = "sk-of-ann";
  expect((await server.request("account/login/start", { type: "apiKey", apiKey: key })).result).toEqual({
    type: "apiKey",
  });
  expect(await world.account()).toEqual({ type: "apiKey" });
  expect(await world.readFile()).toMatchObject({ OPENAI_API_KEY: key });
  expect(JSON.stringify(server.told)).not.toContain(key);
});

test("a person logs in to an MCP server on the page that the client shows", async () => {
  const { url } = await serveGuarded();
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open({ config: [`mcp_servers.guarded.url=${url}`] });
  const wrong = await server.request("mcpServer/oauth/login", { name: "other" });
  expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining("other") as string });
  const { result } = await server.request("mcpServer/oauth/login", { name: "guarded" });
  await (await fetch(String(result?.["authorizationUrl"]))).body?.cancel();
  const end = await server.find(({ method }) => method === "mcpServer/oauthLogin/completed");
  expect(end.params).toEqual({ name: "guarded", success: true, error: null });
});

test("the limits of the account are those that the provider reported last, and every client learns of them", async () => {
  const limit = (name: string, used: string): Record<string, string> => ({
    [`x-codex-${name}-used-percent`]: used,
    [`x-codex-${name}-window-minutes`]: "300",
    [`x-codex-${name}-reset-at`]: "1795500000",
  });
  const answer = { items: [{ text: "Done." }] };
  const turns = [{ ...answer, headers: { ...limit("primary", "12.6"), ...limit("secondary", "junk") } }, answer];
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open();
  const read = async (): Promise<unknown> => (await server.request("account/rateLimits/read")).result;
  expect(await read()).toEqual({ rateLimits: { primary: null, secondary: null } });
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId);
  const primary = { usedPercent: 13, windowDurationMins: 300, resetsAt: 1_795_500_000 };
  expect(await read()).toEqual({ rateLimits: { primary, secondary: null } });
  await runTurn(server, threadId);
  expect(await read()).toEqual({ rateLimits: { primary, secondary: null } });
  const updates = server.told.filter(({ method }) => method === "account/rateLimits/updated");
  expect(updates.map(({ params }) => params)).toEqual([{ rateLimits: { primary, secondary: null } }]);
});
