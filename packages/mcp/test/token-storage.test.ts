import { randomUUID } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OpenKeyring, SecretStoreOptions } from "@unroll/auth";
import { logInToMcpServer, logOutOfMcpServer, type McpLoginOutcome } from "@unroll/mcp";
import { expect, it } from "vitest";
import { createFolder, never, openFixture, textOf, variables } from "./fixture/open-fixture.ts";
import { serveGuarded } from "./fixture/serve-guarded.ts";
import { httpServer } from "./fixture/servers.ts";
import { openTestTokens } from "./fixture/test-tokens.ts";

interface FakeKeyring {
  readonly entries: Map<string, string>;
  readonly openKeyring: OpenKeyring;
  readonly reads: () => number;
}

function createFakeKeyring(): FakeKeyring {
  const entries = new Map<string, string>();
  let reads = 0;
  return {
    entries,
    reads: () => reads,
    openKeyring: async (service, account) => {
      const name = `${service}/${account}`;
      return {
        get: async () => ((reads += 1), entries.get(name) ?? null),
        set: async (text) => void entries.set(name, text),
        remove: async () => void entries.delete(name),
      };
    },
  };
}

const openNoKeyring: OpenKeyring = async () => {
  throw new Error("no D-Bus\n   at native code");
};

function logIn(url: string, folder: string, options: Partial<SecretStoreOptions>): Promise<McpLoginOutcome> {
  return logInToMcpServer({
    server: httpServer("guarded", url),
    variables,
    tokens: openTestTokens(folder, options),
    clientName: "unroll",
    openPage: async (page) => void (await fetch(page)).body?.cancel(),
    createState: randomUUID,
    signal: never,
  });
}

const message = `The system keyring cannot be used (no D-Bus): start its service, or set mcp_oauth_credentials_store = "file" in config.toml`;

it("the keyring holds logins in place of the files: used, renewed, asked once for many requests, and forgotten", async () => {
  const { url, expireTokens } = await serveGuarded();
  const folder = await createFolder();
  const { entries, openKeyring, reads } = createFakeKeyring();
  const options = { storage: "keyring", openKeyring } as const;
  expect(await logIn(url, folder, options)).toEqual({ type: "logged_in", notices: [] });
  expect([...entries.keys()]).toEqual([expect.stringMatching(/^test\/guarded\|[0-9a-f]{16}$/)]);
  expect(await readdir(folder)).toEqual([]);

  const tokens = openTestTokens(folder, options);
  const before = reads();
  const { ready, call } = await openFixture({ servers: [httpServer("guarded", url)], tokens });
  await ready();
  for (let calls = 0; calls < 3; calls += 1) expect(textOf(await call("guarded", "it"))).toBe("let in");
  expect(reads()).toBe(before + 1);
  const [first] = entries.values();
  expireTokens();
  expect(textOf(await call("guarded", "it"))).toBe("let in");
  expect([...entries.values()]).not.toEqual([first]);

  expect(await logOutOfMcpServer({ server: "guarded", tokens, signal: never })).toMatchObject({ type: "logged_out" });
  expect(entries.size).toBe(0);
});

it("for auto the file stands in for a keyring that is not there, and is given up when it is", async () => {
  const { url } = await serveGuarded();
  const folder = await createFolder();
  const file = join(folder, "guarded.json");
  expect(await logIn(url, folder, { storage: "auto", openKeyring: openNoKeyring })).toEqual({
    type: "logged_in",
    notices: [`${message}. For now, the login is stored in ${file}.`],
  });
  const { entries, openKeyring } = createFakeKeyring();
  const tokens = openTestTokens(folder, { storage: "auto", openKeyring });
  const { call } = await openFixture({ servers: [httpServer("guarded", url)], tokens });
  expect(textOf(await call("guarded", "it"))).toBe("let in");
  await logIn(url, folder, { storage: "auto", openKeyring });
  expect(await readdir(folder)).toEqual([]);
  expect(entries.size).toBe(1);
});

it("a keyring that is not there keeps nobody from a server that wants no login, and is the reason at one that does", async () => {
  const [guarded, open] = [await serveGuarded(), await serveGuarded({ isOpen: true })];
  const folder = await createFolder();
  const options = { storage: "keyring", openKeyring: openNoKeyring } as const;
  expect(await logIn(guarded.url, folder, options)).toEqual({
    type: "failed",
    message: `MCP server "guarded": its login cannot be read or stored. ${message}.`,
  });
  const servers = [httpServer("guarded", guarded.url), httpServer("open", open.url)];
  const { call } = await openFixture({ servers, tokens: openTestTokens(folder, options) });
  expect(await call("guarded", "it")).toMatchObject({
    code: "not_started",
    message: `MCP server "guarded": its login cannot be read or stored. ${message}.`,
  });
  expect(textOf(await call("open", "it"))).toBe("let in");
});

it("a file that cannot be read is an error, not a missing login", async () => {
  const { url } = await serveGuarded();
  const folder = await createFolder();
  await mkdir(join(folder, "guarded.json"));
  const { call } = await openFixture({ servers: [httpServer("guarded", url)], tokens: openTestTokens(folder) });
  expect(await call("guarded", "it")).toMatchObject({
    code: "not_started",
    message: expect.stringContaining(`${join(folder, "guarded.json")} cannot be read: it is not a regular file.`),
  });
});
