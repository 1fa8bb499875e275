import { readFile, writeFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { listAccounts } from "@unroll/auth";
import { expect, test } from "vitest";
import { openCredentialStore } from "../src/store/credential-store.ts";
import { clock, createTestHome, never, refresh, toServer } from "./fixture/open-test-auth.ts";
import { serveOpenai } from "./fixture/serve-openai.ts";

const record = JSON.stringify({ tokens: { access_token: "a", refresh_token: "r" } });

test("each account is renewed under its own lock and in its own file", async () => {
  await using openai = await serveOpenai();
  await using home = await createTestHome();
  await mkdir(home.path, { recursive: true });
  const work = join(home.path, "auth.json.account.work.json");
  for (const file of [home.file, work]) await writeFile(file, record);
  using held = await openCredentialStore({ codexHome: home.path, storage: "file", clock }).lock(never);
  expect(held).not.toBeNull();
  const auth = home.open({ server: toServer(openai), account: "work" });
  expect(await refresh(await auth.findCredential(() => {}))).toBe(true);
  expect(await readFile(work, "utf8")).toContain("refresh-1");
  expect(await readFile(home.file, "utf8")).toBe(record);
  expect(await auth.status()).toMatchObject({ type: "tokens", place: work, email: "ann@example.com" });
});

test("accounts are listed by their names, and other files beside them are not", async () => {
  await using home = await createTestHome();
  expect(await listAccounts(home.path)).toEqual(["default"]);
  const server = toServer({ issuer: "http://127.0.0.1:1" });
  for (const account of ["work", "a.json", "default"])
    expect(await home.open({ server, account }).logInByKey("sk-1", never)).toMatchObject({ type: "logged_in" });
  await writeFile(join(home.path, "auth.json.account..json"), "{}");
  await writeFile(join(home.path, "auth.json.account.work.json.kept-1"), "{}");
  expect(await listAccounts(home.path)).toEqual(["default", "a.json", "work"]);
  expect(await readdir(home.path)).toContain("auth.json");
});

test.for(["../x", "a/b", "", ".x", "x".repeat(65)])("no login is opened for the account %j", async (account) => {
  await using home = await createTestHome();
  expect(() => home.open({ server: toServer({ issuer: "http://127.0.0.1:1" }), account })).toThrow(
    "is not a name of an account",
  );
});
