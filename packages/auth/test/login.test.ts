import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import type { LoginOutcome } from "@unroll/auth";
import { describe, expect, test } from "vitest";
import { browse } from "./fixture/browse.ts";
import { createTestHome, never, type TestHome, toServer } from "./fixture/open-test-auth.ts";
import { serveOauth } from "./fixture/serve-oauth.ts";
import { serveOpenai } from "./fixture/serve-openai.ts";

type OpenPage = (url: string) => Promise<void>;

function logIn(
  home: TestHome,
  issuer: string,
  {
    openPage = visit,
    ports = [0],
    signal = never,
  }: { openPage?: OpenPage; ports?: readonly number[]; signal?: AbortSignal } = {},
): Promise<LoginOutcome> {
  return home.open({ server: toServer({ issuer }) }).logInByBrowser({ openPage, ports, signal });
}

const visit: OpenPage = async (url) => void (await browse(url));

async function occupyPort(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((_request, response) => void response.writeHead(500).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("a login in the browser", () => {
  test("is kept for its owner only, and the page says what to do next", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    let page = Promise.resolve("");
    const openPage: OpenPage = async (url) => void (page = browse(url).then(({ text }) => text));
    const logged = { type: "logged_in", place: home.file, notices: [] };
    expect(await logIn(home, server.issuer, { openPage })).toEqual(logged);
    expect(await page).toContain("Close this page and go back to the terminal");
    expect(await home.read()).toEqual({
      auth_mode: "chatgpt",
      OPENAI_API_KEY: null,
      tokens: {
        id_token: expect.stringMatching(/^ey/),
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        account_id: null,
        expires_in: 3600,
      },
      last_refresh: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await stat(home.file)).mode & 0o777).toBe(0o600);
    const status = await home.open({ server: toServer(server) }).status();
    expect(status).toMatchObject({ type: "tokens", email: "ann@example.com", place: home.file });
    expect((await readdir(home.path)).toSorted()).toEqual(["auth.json", "auth.json.lock"]);
  });

  test("that the person refuses changes nothing, and the page says so", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    server.person = "refuses";
    let page = Promise.resolve("");
    const openPage: OpenPage = async (url) => void (page = browse(url).then(({ text }) => text));
    const message = "The login was refused: the person said no. Nothing has changed.";
    expect(await logIn(home, server.issuer, { openPage })).toEqual({ type: "failed", message });
    expect(await page).toContain("the person said no. Nothing has changed. Go back to the terminal.");
  });

  test("takes nothing from a visitor without its state, and no code a second time", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    const statuses: number[] = [];
    let first = "";
    const openPage: OpenPage = async (page) => {
      const callback = new URL(page).searchParams.get("redirect_uri") ?? "";
      for (const stray of [
        `${callback}?code=x`,
        `${callback}?code=x&state=y`,
        `${callback}?error=x`,
        new URL("/", callback).href,
      ])
        statuses.push((await browse(stray)).status);
      first = (await browse(page)).url;
    };
    expect(await logIn(home, server.issuer, { openPage })).toMatchObject({ type: "logged_in" });
    expect(statuses).toEqual([400, 400, 400, 400]);
    const before = await home.read();

    const replay: OpenPage = async (page) => {
      const { searchParams } = new URL(page);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", new URL(first).searchParams.get("code") ?? "");
      back.searchParams.set("iss", server.issuer);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      await browse(back.href);
    };
    expect(await logIn(home, server.issuer, { openPage: replay })).toEqual({
      type: "failed",
      message: expect.stringMatching(/^The server did not accept the login: .* Run it again\.$/),
    });
    expect(await home.read()).toEqual(before);
  });

  test("takes nothing from a page that reached it by a name of its own (DNS rebinding)", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    const statuses: (number | undefined)[] = [];
    const openPage: OpenPage = async (page) => {
      const { searchParams } = new URL(page);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = `?error=access_denied&state=${searchParams.get("state")}`;
      for (const host of [
        `evil.example:${back.port}`,
        `127.0.0.1.evil.example:${back.port}`,
        "localhost.evil.example",
      ]) {
        const [response] = (await once(get(back, { headers: { host } }), "response")) as [IncomingMessage];
        statuses.push(response.resume().statusCode);
      }
      await browse(page);
    };
    expect(await logIn(home, server.issuer, { openPage })).toMatchObject({ type: "logged_in" });
    expect(statuses).toEqual([400, 400, 400]);
  });

  test("answers a second visit with its state at once, and continues with the first", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    let pages: readonly Promise<string>[] = [];
    const openPage: OpenPage = async (page) => {
      const { searchParams } = new URL(page);
      const back = `${searchParams.get("redirect_uri")}?code=x&iss=${server.issuer}&state=${searchParams.get("state")}`;
      pages = [fetch(back), fetch(back)].map(async (visit) => (await visit).text());
      server.beforeTokens = Promise.race(pages);
    };
    expect(await logIn(home, server.issuer, { openPage })).toMatchObject({ type: "failed" });
    const shown = await Promise.all(pages);
    const count = (title: string): number => shown.filter((text) => text.includes(title)).length;
    expect([count("Not this login"), count("You are not logged in")]).toEqual([1, 1]);
  });

  test("takes the next port if one is in use, and reports if all are; two at the same time both finish", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    await using taken = await occupyPort();
    const both = [
      logIn(home, server.issuer, { ports: [taken.port, 0] }),
      logIn(home, server.issuer, { ports: [taken.port, 0] }),
    ];
    expect(await Promise.all(both)).toMatchObject([{ type: "logged_in" }, { type: "logged_in" }]);
    expect(await logIn(home, server.issuer, { ports: [taken.port] })).toEqual({
      type: "failed",
      message: expect.stringMatching(/^The browser cannot return to unroll \(port \d+\): .*--device-auth\.$/),
    });
  });

  test("that is interrupted leaves what was there, and nothing open", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    await logIn(home, server.issuer);
    const before = await home.read();
    const abort = new AbortController();
    let callback = "";
    const openPage: OpenPage = async (page) => {
      callback = new URL(page).searchParams.get("redirect_uri") ?? "";
      abort.abort();
    };
    expect(await logIn(home, server.issuer, { openPage, signal: abort.signal })).toEqual({ type: "cancelled" });
    await expect(fetch(callback)).rejects.toThrow("fetch failed");
    expect(await home.read()).toEqual(before);
  });

  test("asks nobody where it could not be kept", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    await mkdir(dirname(home.path), { recursive: true });
    await writeFile(home.path, "a file in the place of the folder");
    const openPage: OpenPage = () => Promise.reject(new Error("somebody was asked"));
    const outcome = await logIn(home, server.issuer, { openPage });
    expect(outcome).toMatchObject({
      type: "failed",
      message: expect.stringContaining("auth.json.lock is not available"),
    });
    expect(server.log).toEqual([]);
  });

  test("asks no host that the config does not name", async () => {
    await using elsewhere = await serveOpenai();
    await using home = await createTestHome();
    const server = createServer((_request, response) => {
      const places = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${elsewhere.issuer}/oauth/token` };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ issuer, ...places }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const openPage: OpenPage = async (page) => {
      const { searchParams } = new URL(page);
      await browse(`${searchParams.get("redirect_uri")}?code=c&state=${searchParams.get("state")}`);
    };
    const { host } = new URL(elsewhere.issuer);
    expect(await logIn(home, issuer, { openPage })).toEqual({
      type: "failed",
      message: `Did not contact ${host}: the login's server names it, but your config does not. If you trust it, add it to login.hosts in config.toml.`,
    });
    expect(elsewhere.log).toEqual([]);
    const auth = home.open({ server: { ...toServer({ issuer }), hosts: [host] } });
    expect(await auth.logInByBrowser({ openPage, ports: [0], signal: never })).toMatchObject({ type: "logged_in" });
    server.close();
    server.closeAllConnections();
  });
});

describe("a device code", () => {
  test("logs in without a browser", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    const auth = home.open({ server: toServer(server) });
    const codes: string[] = [];
    const showCode = async ({ code, url }: { code: string; url: string }): Promise<void> => {
      codes.push(code);
      await browse(url);
    };
    expect(await auth.logInByDevice({ showCode, signal: never })).toMatchObject({ type: "logged_in" });
    expect(codes).toEqual([expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/)]);
    expect(await auth.status()).toMatchObject({ email: "ann@example.com" });
  });

  test("of OpenAI's own kind logs in too, and the account is known", async () => {
    await using server = await serveOpenai();
    await using home = await createTestHome();
    const auth = home.open({ server: toServer(server) });
    const shown: unknown[] = [];
    expect(await auth.logInByDevice({ showCode: async (code) => void shown.push(code), signal: never })).toMatchObject({
      type: "logged_in",
    });
    expect(shown).toEqual([{ code: "ABCD-1234", url: `${server.issuer}/codex/device` }]);
    expect(await home.read()).toMatchObject({ tokens: { account_id: "acc-1", refresh_token: "refresh-1" } });
    expect(server.log.at(-1)?.[1]).toContain(encodeURIComponent(`${server.issuer}/deviceauth/callback`));
  });

  test("that nobody enters is given up with the signal", async () => {
    await using server = await serveOauth();
    await using home = await createTestHome();
    const abort = new AbortController();
    const showCode = async (): Promise<void> => abort.abort();
    const outcome = await home.open({ server: toServer(server) }).logInByDevice({ showCode, signal: abort.signal });
    expect(outcome).toEqual({ type: "cancelled" });
  });
});
