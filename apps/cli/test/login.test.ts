import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { browse } from "@unroll/auth/fixture/browse";
import { serveOauth } from "@unroll/auth/fixture/serve-oauth";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";
import { openCommandWorld } from "./run-unroll.ts";

/** The config stores the login in `file`; the commands run at a terminal unless they get a stdin. */
async function openLoginWorld() {
  const world = await openInProcessWorld();
  const run: typeof world.run = (args, settings) => world.run(args, { stdin: null, ...settings });
  return { ...world, run, file: join(world.codexHome, "auth.json") };
}

/** The page that a login names. */
const pageIn = (text: string): string | undefined => /^(http\S+)\n/m.exec(text)?.[1];

test("login, login status and logout show who is logged in, and no secret", async () => {
  await using server = await serveOauth();
  await using world = await openLoginWorld();
  const flags = ["-c", `login.issuer=${server.issuer}`, "-c", `login.client_id=${server.clientId}`];
  const nobody = { exitCode: 1, stdout: "Not logged in. Run unroll login.\n", stderr: "" };
  expect(await world.run(["login", "status"])).toEqual(nobody);

  const visits: Promise<unknown>[] = [];
  const onStdout = (text: string): void => {
    const page = pageIn(text);
    if (page !== undefined && visits.length === 0) visits.push(browse(page));
  };
  const login = await world.run(["login", ...flags], { onStdout });
  expect(login).toMatchObject({ exitCode: 0, stderr: "" });
  expect(login.stdout).toContain(`Logged in as ann@example.com.\nStored in ${world.file}, last renewed `);
  await Promise.all(visits);

  const status = await world.run(["login", "status", "--json"], { env: { OPENAI_API_KEY: "sk-1" } });
  expect(JSON.parse(status.stdout)).toEqual({
    loggedIn: true,
    type: "tokens",
    place: world.file,
    email: "ann@example.com",
    plan: null,
    renewedAt: expect.stringMatching(/Z$/),
    usedInstead: "OPENAI_API_KEY",
  });
  const { tokens } = JSON.parse(await readFile(world.file, "utf8")) as { tokens: Record<string, string> };
  const said = [login, status, await world.run(["login", "status"])].map((each) => each.stdout).join();
  for (const token of [tokens["access_token"], tokens["refresh_token"], tokens["id_token"]])
    expect(said).not.toContain(token);

  expect(await world.run(["logout", ...flags])).toEqual({ exitCode: 0, stdout: "Logged out.\n", stderr: "" });
  expect(server.log.at(-1)).toBe("POST /token/revocation");
  expect(await world.run(["logout"])).toEqual({ exitCode: 0, stdout: "You were not logged in.\n", stderr: "" });
  expect(await world.run(["login", "status"])).toEqual(nobody);
});

test("login --device-auth shows where to enter which code", async () => {
  await using server = await serveOauth();
  await using world = await openLoginWorld();
  const flags = ["-c", `login.issuer=${server.issuer}`, "-c", `login.client_id=${server.clientId}`];
  const interrupted = await world.run(["login", "--device-auth", ...flags], {
    onStdout: (text, interrupt) => void (text.includes("enter this code") && interrupt()),
  });
  expect(interrupted).toMatchObject({
    exitCode: 130,
    stdout: expect.stringMatching(
      /^Open this page on any device:\nhttp:\S+\nand enter this code: [A-Z]{4}-[A-Z]{4}\nNever enter a code that someone else gave you\.\n$/,
    ),
    stderr: "unroll: Login cancelled. Nothing has changed.\n",
  });
});

test("login --with-api-key reads the key from stdin, and from nowhere else", async () => {
  await using world = await openLoginWorld();
  const login = ["login", "--with-api-key"];
  expect(await world.run(login)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("pipe the key into stdin"),
  });
  expect(await world.run([...login, "sk-in-argv"], { stdin: "" })).toMatchObject({ exitCode: 2 });
  expect(await world.run([...login, "--device-auth"], { stdin: "" })).toMatchObject({ exitCode: 2 });
  expect(await world.run(login, { stdin: "\n" })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("not an API key"),
  });
  expect(await world.run(login, { stdin: "sk-of-ann\n" })).toEqual({
    exitCode: 0,
    stdout: `Logged in with an API key.\nStored in ${world.file}.\n`,
    stderr: "",
  });
  expect((await stat(world.file)).mode & 0o777).toBe(0o600);
});

test("a login that nobody comes back from ends with ^C", async () => {
  await using server = await serveOauth();
  await using world = await openLoginWorld();
  const flags = ["-c", `login.issuer=${server.issuer}`, "-c", `login.client_id=${server.clientId}`];
  const interrupted = await world.run(["login", ...flags], {
    onStdout: (text, interrupt) => void (pageIn(text) !== undefined && interrupt()),
  });
  expect(interrupted).toMatchObject({ exitCode: 130, stderr: "unroll: Login cancelled. Nothing has changed.\n" });
});

test("the bundled program logs in with the browser that the environment names, and runs with that login", async () => {
  await using server = await serveOauth();
  await using world = await openCommandWorld({ script: { turns: [{ items: [{ text: "Hello." }] }] } });
  const flags = ["-c", `login.issuer=${server.issuer}`, "-c", `login.client_id=${server.clientId}`];
  const login = world.start(["login", ...flags], { env: { BROWSER: "true" } });
  const page = Promise.withResolvers<string>();
  let said = "";
  login.child.stdout?.on("data", (piece: string) => {
    said += piece;
    const found = pageIn(said);
    if (found !== undefined) page.resolve(found);
  });
  await browse(await page.promise);
  expect(await login.ended).toMatchObject({ exitCode: 0 });

  const provider = ["-c", "model_provider=openai", "-c", `openai_base_url=${world.model.url}`];
  const ran = await world.run(["exec", ...flags, ...provider, "--skip-git-repo-check", "Hi"]);
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
  const { tokens } = JSON.parse(await readFile(join(world.home, ".codex/auth.json"), "utf8")) as {
    tokens: Record<string, string>;
  };
  expect(world.model.requests[0]?.headers.authorization).toBe(`Bearer ${tokens["access_token"]}`);
});

test("forced_login_method refuses the other way in, before anybody is asked", async () => {
  await using world = await openLoginWorld();
  const force = (method: string): readonly string[] => ["-c", `forced_login_method=${method}`];
  const byKey = await world.run(["login", "--with-api-key", ...force("chatgpt")], { stdin: "sk-secret-key-1" });
  expect(byKey).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("forced_login_method") });
  expect((await world.run(["login", ...force("api")])).exitCode).toBe(2);
  expect((await world.run(["login", "--with-api-key"], { stdin: "sk-secret-key-1" })).exitCode).toBe(0);
  const status = await world.run(["login", "status", ...force("chatgpt")]);
  expect(status.stdout).toContain("The login is not used. An API key is kept");
});
