import { mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestHome, never, refresh, type TestHome, toServer } from "./fixture/open-test-auth.ts";
import { serveOpenai } from "./fixture/serve-openai.ts";

const server = toServer({ issuer: "http://127.0.0.1:1" });

async function writeFileIn(home: TestHome, content: string): Promise<void> {
  await mkdir(home.path, { recursive: true });
  await writeFile(home.file, content);
}

const kept = async (home: TestHome): Promise<readonly string[]> =>
  (await readdir(home.path)).filter((name) => name.startsWith("auth.json.kept-"));

describe("what cannot be understood", () => {
  const whole = JSON.stringify({
    auth_mode: "chatgpt",
    tokens: { access_token: "secret-a", refresh_token: "secret-r" },
  });
  test.for([
    ["", "it is not a complete JSON object"],
    [whole.slice(0, -20), "it is not a complete JSON object"],
    [`{"auth_mode":"agentIdentity"}`, "its auth_mode has a kind that this version does not support"],
    [`{"tokens":["secret-a"]}`, "its tokens has a kind that this version does not support"],
  ] as const)("%s is left as it is, and kept aside by the next login", async ([content, reason]) => {
    await using home = await createTestHome();
    await writeFileIn(home, content);
    const auth = home.open({ server });
    for (const run of [() => auth.status(), () => auth.findCredential(() => {})]) {
      await expect(run()).rejects.toThrow(`The login in ${home.file} cannot be used: ${reason}. It was not changed.`);
    }
    expect(await readFile(home.file, "utf8")).toBe(content);

    const outcome = await auth.logInByKey("sk-new", never);
    const [aside = ""] = await kept(home);
    expect(outcome).toEqual({
      type: "logged_in",
      place: home.file,
      notices: [`The old contents of ${home.file} are saved as ${join(home.path, aside)}: ${reason}.`],
    });
    expect(await readFile(join(home.path, aside), "utf8")).toBe(content);
    expect(await auth.status()).toMatchObject({ type: "key" });
  });

  test("is kept aside by a logout, too", async () => {
    await using home = await createTestHome();
    await writeFileIn(home, "{");
    expect(await home.open({ server }).logOut(never)).toMatchObject({
      type: "not_logged_in",
      notices: [expect.any(String)],
    });
    expect(await kept(home)).toHaveLength(1);
  });

  test("a folder at the path of the file is put aside as well", async () => {
    await using home = await createTestHome();
    await mkdir(home.file, { recursive: true });
    const auth = home.open({ server });
    await expect(auth.status()).rejects.toThrow(
      `${home.file} cannot be read: it is not a regular file. It was not changed. Log in again with unroll login, which saves it under another name.`,
    );
    expect(await auth.logInByKey("sk-new", never)).toMatchObject({ type: "logged_in" });
    expect(await auth.status()).toMatchObject({ type: "key" });
  });
});

test("members that are not ours stay, and a link stays one", async () => {
  await using openai = await serveOpenai();
  await using home = await createTestHome();
  const elsewhere = join(home.path, "elsewhere.json");
  const tokens = { access_token: "a", refresh_token: "r", scope: "theirs" };
  await writeFileIn(home, "");
  await rm(home.file);
  await writeFile(elsewhere, JSON.stringify({ theirs: { b: [1] }, tokens }));
  await symlink(elsewhere, home.file);
  const auth = home.open({ server: toServer(openai) });
  const credential = await auth.findCredential(() => {});
  expect(await refresh(credential)).toBe(true);
  expect(await home.read()).toMatchObject({
    theirs: { b: [1] },
    tokens: { refresh_token: "refresh-1", scope: "theirs" },
  });
  await auth.logInByKey("sk-new", never);
  expect(await home.read()).toEqual({
    theirs: { b: [1] },
    auth_mode: "apikey",
    OPENAI_API_KEY: "sk-new",
    tokens: null,
    last_refresh: null,
  });
  expect(await readlink(home.file)).toBe(elsewhere);
});

test("a file of the Codex CLI is read: a key, tokens, and one that names no kind", async () => {
  await using home = await createTestHome();
  const auth = home.open({ server });
  const headersOf = async (members: object): Promise<unknown> => {
    await writeFileIn(home, JSON.stringify(members));
    return (await auth.findCredential(() => {}))?.authorization(never);
  };
  const tokens = { id_token: "i", access_token: "a", refresh_token: "r", account_id: "acc" };
  const key = { authorization: "Bearer sk-1" };
  const login = { authorization: "Bearer a", "chatgpt-account-id": "acc" };
  expect(await headersOf({ OPENAI_API_KEY: "sk-1", tokens: null, last_refresh: null })).toEqual(key);
  expect(await headersOf({ OPENAI_API_KEY: null, tokens, last_refresh: "2026-11-01T00:00:00Z" })).toEqual(login);
  expect(await headersOf({ auth_mode: "chatgpt", OPENAI_API_KEY: "sk-1", tokens })).toEqual(login);
  expect(await headersOf({ OPENAI_API_KEY: null })).toBeUndefined();
});

test("a key is one line, or it is not kept", async () => {
  await using home = await createTestHome();
  const auth = home.open({ server });
  for (const bad of ["", "two words", "a\nb", "schlüssel"]) {
    expect(await auth.logInByKey(bad, never)).toMatchObject({ type: "failed" });
  }
  expect(await auth.status()).toBeNull();
});

describe("the system keyring", () => {
  function createFakeKeyring(fault: string | null = null): {
    readonly entries: Map<string, string>;
    readonly openKeyring: (
      service: string,
      account: string,
    ) => Promise<{
      get(): Promise<string | null>;
      set(text: string): Promise<void>;
      remove(): Promise<void>;
    }>;
  } {
    const entries = new Map<string, string>();
    return {
      entries,
      async openKeyring(service, account) {
        if (fault !== null) throw new Error(`${fault}\n   at native code`);
        const name = `${service}/${account}`;
        return {
          get: async () => entries.get(name) ?? null,
          set: async (text) => void entries.set(name, text),
          remove: async () => void entries.delete(name),
        };
      },
    };
  }

  test("holds the login in place of the file", async () => {
    await using home = await createTestHome();
    const { entries, openKeyring } = createFakeKeyring();
    const auth = home.open({ server, storage: "keyring", openKeyring });
    const place = "the system keyring";
    expect(await auth.logInByKey("sk-1", never)).toEqual({ type: "logged_in", place, notices: [] });
    expect([...entries.keys()]).toEqual([expect.stringMatching(/^Codex Auth\/cli\|[0-9a-f]{16}$/)]);
    expect(await auth.status()).toMatchObject({ type: "key", place });
    expect(await readdir(home.path)).toEqual(["auth.json.lock"]);
    expect(await auth.logOut(never)).toEqual({ type: "logged_out", isRevoked: null, notices: [] });
    expect(entries.size).toBe(0);
  });

  test("that is not there is an error for keyring, and for auto the file and a notice", async () => {
    await using home = await createTestHome();
    const { openKeyring } = createFakeKeyring("no D-Bus");
    const message = `The system keyring cannot be used (no D-Bus): start its service, or set cli_auth_credentials_store = "file" in config.toml.`;
    const keyring = home.open({ server, storage: "keyring", openKeyring });
    expect(await keyring.logInByKey("sk-1", never)).toEqual({ type: "failed", message });
    await expect(keyring.status()).rejects.toMatchObject({ code: "keyring_unavailable", message });

    const auto = home.open({ server, storage: "auto", openKeyring });
    expect(await auto.logInByKey("sk-1", never)).toEqual({
      type: "logged_in",
      place: home.file,
      notices: [`${message} For now, the login is stored in ${home.file}.`],
    });
    expect(await auto.status()).toMatchObject({ type: "key", place: home.file });
    expect(await auto.logOut(never)).toMatchObject({ type: "logged_out" });
  });

  test("that is there again takes over from the file", async () => {
    await using home = await createTestHome();
    const { entries, openKeyring } = createFakeKeyring();
    await home.open({ server }).logInByKey("sk-old", never);
    const auto = home.open({ server, storage: "auto", openKeyring });
    expect(await auto.status()).toMatchObject({ place: home.file });
    await auto.logInByKey("sk-new", never);
    expect(await auto.status()).toMatchObject({ place: "the system keyring" });
    expect(await readdir(home.path)).toEqual(["auth.json.lock"]);
    expect(entries.size).toBe(1);
  });
});
