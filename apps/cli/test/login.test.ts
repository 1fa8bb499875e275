import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { browse } from "@unroll/auth/fixture/browse";
import { serveOauth } from "@unroll/auth/fixture/serve-oauth";
import { startScriptedModel } from "@unroll/scripted-model";
import { createSelfSigned } from "@unroll/text/fixture/self-signed";
import { describe, expect, onTestFinished, test } from "vitest";
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
  expect(login).toMatchObject({ exitCode: 0, stderr: contacting(server) });
  expect(login.stdout).toContain(`Logged in as ann@example.com.\nStored in ${world.file}, last renewed `);
  await Promise.all(visits);

  const status = await world.run(["login", "status", "--json"], { env: { OPENAI_API_KEY: "sk-1" } });
  const facts = { loggedIn: true, type: "tokens", place: world.file, email: "ann@example.com", plan: null };
  expect(JSON.parse(status.stdout)).toEqual({
    account: "default",
    ...facts,
    renewedAt: expect.stringMatching(/Z$/),
    usedInstead: "OPENAI_API_KEY",
    accounts: [{ name: "default", isChosen: true, ...facts, fault: null }],
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

test("a login or an MCP server whose certificate is not trusted says how to trust it", async () => {
  await using world = await openLoginWorld();
  const server = createTlsServer(createSelfSigned(), (_, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remedy =
    "its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Start unroll with SSL_CERT_FILE=/path/to/authority.pem, the file of the authority that signed it.";
  const login = await world.run(["login", "--device-auth", "-c", `login.issuer=${url}`]);
  expect(login.stderr).toContain(remedy);
  const mcp = await world.run(["mcp", "test", "docs", "-c", `mcp_servers.docs.url="${url}/mcp"`]);
  expect(mcp.stderr + mcp.stdout).toContain(`it cannot be reached: ${remedy}`);
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
    stderr: `${contacting(server)}unroll: Login cancelled. Nothing has changed.\n`,
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
  const stderr = `${contacting(server)}unroll: Login cancelled. Nothing has changed.\n`;
  expect(interrupted).toMatchObject({ exitCode: 130, stderr });
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
  void login.ended.then(({ stderr }) => page.reject(new Error(`No page was named: ${stderr}`)));
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
  expect(status.stdout).toContain("The login is not used. The stored login is an API key");
});

test("several accounts are stored side by side, and the one that is chosen is used", async () => {
  const turns = Array.from({ length: 3 }, () => ({ items: [{ text: "Hello." }] }));
  await using model = await startScriptedModel({ script: { turns } });
  await using world = await openInProcessWorld();
  const file = (name: string): string => join(world.codexHome, name);
  for (const [flags, key] of [
    [[], "sk-of-ann"],
    [["--as", "work"], "sk-of-work"],
    [["--as", "a.b-c_1"], "sk-of-abc"],
  ] as const)
    expect(await world.run(["login", "--with-api-key", ...flags], { stdin: key })).toMatchObject({ exitCode: 0 });
  const work = file("auth.json.account.work.json");
  expect((await stat(work)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file("auth.json"), "utf8"))).toMatchObject({ OPENAI_API_KEY: "sk-of-ann" });

  const listed = await world.run(["login", "status", "-c", "account=work"], { stdin: null });
  expect(listed).toEqual({
    exitCode: 0,
    stdout: `Logged in with an API key.\nStored in ${work}.\n\nAccounts (* is the one in use):\n  default  API key\n  a.b-c_1  API key\n* work     API key\n`,
    stderr: "",
  });
  const json = await world.run(["login", "status", "--as", "gone", "--json"], { stdin: null });
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    account: "gone",
    loggedIn: false,
    accounts: [{ name: "default" }, { name: "a.b-c_1" }, { name: "work" }, { name: "gone", loggedIn: false }],
  });
  expect(listed.stdout + json.stdout).not.toContain("sk-of");

  const provider = ["-c", "model_provider=openai", "-c", `openai_base_url=${model.url}`, "--skip-git-repo-check"];
  const sent = (): unknown => model.requests.at(-1)?.headers["authorization"];
  expect(await world.run(["exec", ...provider, "Hi"])).toMatchObject({ exitCode: 0 });
  expect(sent()).toBe("Bearer sk-of-ann");
  expect(await world.run(["exec", ...provider, "--account", "work", "Hi"])).toMatchObject({ exitCode: 0 });
  expect(sent()).toBe("Bearer sk-of-work");
  const doctor = await world.run(["doctor", ...provider.slice(0, 4), "--account", "work"], { stdin: null });
  expect(doctor.stdout).toContain(`Uses the API key stored in ${work}. The account is work.`);
  // the thread keeps the name, and no key
  expect(await world.run(["exec", ...provider, "resume", "--last", "Hi again"])).toMatchObject({ exitCode: 0 });
  expect(sent()).toBe("Bearer sk-of-work");

  expect(await world.run(["logout", "--as", "work"], { stdin: null })).toMatchObject({ stdout: "Logged out.\n" });
  await expect(stat(work)).rejects.toThrow("ENOENT");
  const gone = await world.run(["exec", ...provider, "resume", "--last", "Hi once more"]);
  expect(gone.exitCode).toBe(6);
  expect(gone.stderr).toContain(
    "Nobody is logged in to the account work: run unroll login --as work, or choose another account with --account: default, a.b-c_1.",
  );
  expect(model.requests).toHaveLength(3);
});

test.for(["../auth", "a/b", "", ".hidden", "x".repeat(65), "nul\0", "ä"])(
  "%j is refused as the name of an account",
  async (name) => {
    await using world = await openLoginWorld();
    const login = await world.run(["login", "--with-api-key", "--as", name], { stdin: "sk-1" });
    expect(login.exitCode).not.toBe(0);
    await expect(stat(world.codexHome).then(() => readdir(world.codexHome))).resolves.toEqual(
      expect.not.arrayContaining([expect.stringContaining("auth")]),
    );
  },
);

function contacting({ issuer }: { readonly issuer: string }): string {
  return `unroll: Contacting ${new URL(issuer).host}. Press ^C to stop.\n`;
}

test("a login server that never answers is named at once, and ^C ends the wait", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  await using world = await openCommandWorld({ script: { turns: [] } });
  const asked = once(server, "request");
  const login = world.start(["login", "-c", `login.issuer=${issuer}`]);
  await asked;
  login.child.kill("SIGINT");
  const stderr = `${contacting({ issuer })}unroll: Login cancelled. Nothing has changed.\n`;
  expect(await login.ended).toMatchObject({ exitCode: 130, stdout: "", stderr });
  server.closeAllConnections();
  server.close();
});

describe("a login server that is dead or answers nonsense", () => {
  const nonsense = (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>Maintenance</p>");
  const refusing = (_request: unknown, response: ServerResponse): void => void response.writeHead(500).end();
  test.for([
    ["dead", null],
    ["nonsense", nonsense],
    ["refusing", refusing],
  ] as const)("is reported with the other ways (%s)", async ([, answer]) => {
    await using world = await openLoginWorld();
    const server = createServer(answer ?? undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    if (answer === null) server.close();
    const issuer = ["-c", `login.issuer=http://127.0.0.1:${port}`];
    const others = "unroll login --with-api-key, or unroll --oss for a model on this machine.";
    const login = await world.run(["login", ...issuer]);
    expect(login).toMatchObject({ exitCode: 1, stdout: "" });
    expect(login.stderr).toContain(`Try again, or use another way: unroll login --device-auth, ${others}`);
    const device = await world.run(["login", "--device-auth", ...issuer]);
    expect(device.stderr).toContain(`Try again, or use another way: unroll login, ${others}`);
    server.close();
  });
});
