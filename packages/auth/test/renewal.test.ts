import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { AuthOptions, LoginCredential } from "@unroll/auth";
import { expect, onTestFinished, test } from "vitest";
import { browse } from "./fixture/browse.ts";
import { clock, createTestHome, never, refresh, type TestHome, toServer } from "./fixture/open-test-auth.ts";
import { type OauthServer, serveOauth } from "./fixture/serve-oauth.ts";
import { serveOpenai, toJwt } from "./fixture/serve-openai.ts";

/** `UNROLL_RACE_PROCESSES=20` for a long run. */
const processCount = Number(process.env["UNROLL_RACE_PROCESSES"] ?? 3);

async function logIn(home: TestHome, server: OauthServer): Promise<void> {
  const openPage = async (url: string): Promise<void> => void (await browse(url));
  await home.open({ server: toServer(server) }).logInByBrowser({ openPage, ports: [0], signal: never });
}

async function use(
  home: TestHome,
  server: { readonly issuer: string },
  options: Partial<AuthOptions> = {},
): Promise<LoginCredential> {
  const credential = await home.open({ server: toServer(server), ...options }).findCredential(() => {});
  if (credential === null) throw new Error("nobody is logged in");
  return credential;
}

const tokenOf = async (credential: LoginCredential): Promise<string> =>
  (await credential.authorization(never))["authorization"] ?? "";
const renewals = ({ log }: OauthServer): number => log.filter((line) => line === "POST /token").length - 1;

async function writeTokens(home: TestHome, tokens: object, rest: object = {}): Promise<void> {
  await home.open({ server: toServer({ issuer: "http://127.0.0.1:1" }) }).logInByKey("sk-any", never);
  const members = {
    tokens: { refresh_token: "refresh-0", ...tokens },
    last_refresh: new Date().toISOString(),
    ...rest,
  };
  await writeFile(home.file, JSON.stringify(members));
}

test("a token is renewed before it ends, and the new one is kept before it is used", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  let ahead = 0;
  const credential = await use(home, server, { clock: { ...clock, now: () => Date.now() + ahead } });
  const first = await tokenOf(credential);
  ahead = 3_600_000 - 6 * 60_000;
  expect(await tokenOf(credential)).toBe(first);
  ahead = 3_600_000 - 4 * 60_000;
  const second = await tokenOf(credential);
  expect(second).not.toBe(first);
  expect(`Bearer ${String((await readTokens(home))["access_token"])}`).toBe(second);
  expect(renewals(server)).toBe(1);
});

async function readTokens(home: TestHome): Promise<Readonly<Record<string, unknown>>> {
  return (await home.read())["tokens"] as Record<string, unknown>;
}

test("twenty who share a login renew it once", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const all = await Promise.all(Array.from({ length: 20 }, () => use(home, server)));
  expect(await Promise.all(all.map((each) => refresh(each)))).toEqual(all.map(() => true));
  expect(new Set(await Promise.all(all.map(tokenOf))).size).toBe(1);
  expect(renewals(server)).toBe(1);
  expect(await refresh(all[0] ?? null)).toBe(true); // what was kept is the refresh token that is good by now
});

test("requests that are refused one after the other with the same token renew it once", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const credential = await use(home, server);
  const refused = await credential.authorization(never);
  expect(await credential.refresh(refused, never)).toBe(true);
  expect(await credential.refresh(refused, never)).toBe(true);
  expect(renewals(server)).toBe(1);
});

interface Racer {
  readonly child: ChildProcess;
  next(): Promise<string>;
}

function startRacer(...args: readonly string[]): Racer {
  const file = join(import.meta.dirname, "fixture/renew.ts");
  const child = spawn(process.execPath, ["--conditions=@unroll/source", file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => String((await lines.next()).value) };
}

test(`${processCount} processes that share a login renew it once; a holder that was killed holds nobody up`, async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const holder = startRacer(home.path, server.issuer, "hold");
  const racers = Array.from({ length: processCount }, () => startRacer(home.path, server.issuer));
  expect(await holder.next()).toBe("held");
  expect(await Promise.all(racers.map((each) => each.next()))).toEqual(racers.map(() => "ready"));
  const exited = once(holder.child, "exit");
  for (const { child } of racers) child.stdin?.write("go\n");
  holder.child.kill("SIGKILL");
  await exited;
  const tokens = await Promise.all(racers.map((each) => each.next()));
  expect(new Set(tokens)).toEqual(new Set([`Bearer ${String((await readTokens(home))["access_token"])}`]));
  expect(renewals(server)).toBe(1);
});

test("a login that the server has ended says what to do, and stays as it is", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const before = await readFile(home.file, "utf8");
  const credential = await use(home, server);
  server.forgetAll();
  await expect(refresh(credential)).rejects.toMatchObject({
    code: "login_ended",
    retryable: false,
    message:
      "Your login has expired (invalid_grant). Run unroll login, then continue with unroll resume: the thread is saved.",
  });
  expect(await readFile(home.file, "utf8")).toBe(before);
  await logIn(home, server);
  expect(await refresh(credential)).toBe(true); // the same process continues with the new login
});

test("a server that is away for a while does not take a token that is still good", async () => {
  await using home = await createTestHome();
  const now = Math.floor(Date.now() / 1000);
  await writeTokens(home, { access_token: toJwt({ iat: now - 3500, exp: now + 100 }) }, { last_refresh: null });
  const credential = await use(home, { issuer: "http://127.0.0.1:1" });
  expect(await tokenOf(credential)).toMatch(/^Bearer /);
  await expect(refresh(credential)).rejects.toMatchObject({ code: "server_unreachable", retryable: true });
});

test("what cannot be written is not renewed, for the login would be lost; the token is used while it is good", async () => {
  await using server = await serveOpenai();
  await using home = await createTestHome();
  await writeTokens(home, { access_token: toJwt({ exp: 1 }) });
  const elsewhere = join(home.path, "x".repeat(250)); // no name is left for a file beside it
  await rename(home.file, elsewhere);
  await symlink(elsewhere, home.file);
  const credential = await use(home, server);
  expect(await tokenOf(credential)).toMatch(/^Bearer /);
  await expect(refresh(credential)).rejects.toMatchObject({
    code: "store_unusable",
    message: `The login cannot be stored: ${home.file} cannot be written: its name is too long.`,
  });
  expect(server.log).toEqual([]);
});

test.for([-86_400, 86_400])("a clock that is %i s off renews no token that is good", async (skewSeconds) => {
  await using server = await serveOpenai();
  await using home = await createTestHome();
  server.skewSeconds = skewSeconds;
  await home.open({ server: toServer(server) }).logInByDevice({ showCode: async () => {}, signal: never });
  const asked = server.log.length;
  const credential = await use(home, server);
  await tokenOf(credential);
  expect(server.log.length).toBe(asked);
  expect(await refresh(credential)).toBe(true);
  await tokenOf(credential);
  expect(server.log.filter(([path]) => path === "/oauth/token").length).toBe(2);
});

test("what another program renewed without our lock is used", async () => {
  await using server = await serveOpenai();
  await using home = await createTestHome();
  await writeTokens(home, { access_token: "old-token", account_id: "acc-7" });
  const credential = await use(home, server);
  expect(await credential.authorization(never)).toEqual({
    authorization: "Bearer old-token",
    "chatgpt-account-id": "acc-7",
  });
  server.refusal = "refresh_token_reused";
  server.beforeRefusal = () =>
    writeFile(home.file, JSON.stringify({ tokens: { access_token: "other-token", refresh_token: "r" } }));
  expect(await refresh(credential)).toBe(true);
  expect(await tokenOf(credential)).toBe("Bearer other-token");
  await expect(refresh(credential)).rejects.toThrow("Your login has expired (refresh_token_reused)");
});

test("an interrupted caller does not wait for a renewal, which is finished anyway", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const credential = await use(home, server);
  const before = await readTokens(home);
  const abort = new AbortController();
  const refreshing = credential.refresh(await credential.authorization(never), abort.signal);
  abort.abort();
  expect(await refreshing).toBe(false);
  await credential.settled();
  expect((await readTokens(home))["access_token"]).not.toBe(before["access_token"]);
});

test("a logout in the meantime, and a login of another kind, are reported", async () => {
  await using server = await serveOauth();
  await using home = await createTestHome();
  await logIn(home, server);
  const credential = await use(home, server);
  const auth = home.open({ server: toServer(server) });
  expect(await auth.logOut(never)).toEqual({ type: "logged_out", isRevoked: true, notices: [] });
  expect(server.log.at(-1)).toBe("POST /token/revocation");
  await expect(refresh(credential)).rejects.toMatchObject({ code: "login_ended" });
  await auth.logInByKey("sk-later", never);
  await expect(refresh(credential)).rejects.toMatchObject({ code: "login_changed" });
});
