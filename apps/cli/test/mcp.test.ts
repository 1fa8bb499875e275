import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveGuarded } from "@unroll/mcp/fixture/serve-guarded";
import { fakeServer, realServer } from "@unroll/mcp/fixture/servers";
import { openInProcessWorld } from "./run-in-process.ts";
import { openCommandWorld } from "./run-unroll.ts";

async function openMcpWorld(config: string) {
  const world = await openInProcessWorld();
  await world.write("home/.codex/config.toml", config);
  const env = { CODEX_HOME: world.codexHome };
  return {
    ...world,
    env,
    readConfig: () => readFile(join(world.codexHome, "config.toml"), "utf8"),
    run: (...args: readonly string[]) => world.run(args, { env }),
    start: (args: readonly string[], onStdout: (text: string) => void) => world.run(args, { env, onStdout }),
  };
}

const config = `# mine
model = "gpt-5" # the good one

[mcp_servers.old] # since May
command = "old"

# the rest
[projects."/work"]
trust_level = "trusted"
`;

test("add writes the client that a login goes by, and says what goes with what", async () => {
  await using world = await openMcpWorld("");
  const client = ["--oauth-client-id", "app-1", "--oauth-client-secret-env-var", "WEB_SECRET"];
  expect((await world.run("mcp", "add", "web", "--url", "https://host/mcp", ...client)).exitCode).toBe(0);
  expect((await world.readConfig()).trim()).toBe(`[mcp_servers.web]
url = "https://host/mcp"

[mcp_servers.web.oauth]
client_id = "app-1"
client_secret_env_var = "WEB_SECRET"`);
  const wrong = [
    [["mcp", "add", "own", "--oauth-client-id", "a", "--", "server"], "--oauth-client-id only works with --url."],
    [["mcp", "add", "own", "--url", "https://host/", ...client.slice(2)], "--oauth-client-secret-env-var needs"],
  ] as const;
  for (const [args, message] of wrong)
    expect(await world.run(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test("add and remove change nothing else in config.toml, and no credential is shown", async () => {
  await using world = await openMcpWorld(config);
  const added = await world.run("mcp", "add", "new", "--env", "TOKEN=sk-inline", "--", "node", "server.js", "--flag");
  expect(added).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining("unroll mcp test new") });
  expect(
    (await world.run("mcp", "add", "web", "--url", "https://host/mcp?key=sk-url", "--bearer-token-env-var", "WEB"))
      .exitCode,
  ).toBe(0);
  expect(await world.readConfig()).toBe(
    config.replace(
      "\n# the rest",
      `
[mcp_servers.new]
command = "node"
args = [ "server.js", "--flag" ]

[mcp_servers.new.env]
TOKEN = "sk-inline"

[mcp_servers.web]
url = "https://host/mcp?key=sk-url"
bearer_token_env_var = "WEB"

# the rest`,
    ),
  );

  const list = await world.run("mcp", "list");
  expect(list.stdout).toBe(
    "old  enabled   old\nnew  enabled   node server.js --flag\nweb  enabled   https://host/mcp\n",
  );
  const shown = [
    await world.run("mcp", "list", "--json"),
    await world.run("mcp", "get", "new"),
    await world.run("mcp", "get", "web", "--json"),
  ];
  expect(shown.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(JSON.parse(shown[0]?.stdout ?? "")).toMatchObject([
    { name: "old", command: "old" },
    { name: "new", env: { TOKEN: "[secret]" } },
    { name: "web", url: "https://host/mcp", bearer_token_env_var: "WEB" },
  ]);
  expect([list, ...shown].map(({ stdout }) => stdout).join("")).not.toContain("sk-");

  for (const name of ["new", "web"]) expect((await world.run("mcp", "remove", name)).exitCode).toBe(0);
  expect(await world.readConfig()).toBe(config);
});

test.for([
  [["mcp", "add", "old", "--", "x"], "already has a [mcp_servers.old]"],
  [["mcp", "add", "a b", "--", "x"], "is not a valid server name"],
  [["mcp", "add", "a"], "Give either a program"],
  [["mcp", "add", "a", "--url", "http://h", "--", "x"], "or an address (--url)"],
  [["mcp", "add", "a", "--url", "http://h", "--env", "A=B"], "--env only works with a program"],
  [["mcp", "add", "a", "--env", "sk-secret", "--", "x"], "is not KEY=VALUE"],
  [["mcp", "add", "a", "--url", "file:///x"], "http://"],
  [["mcp", "add", "a", "--url", "https://u:pw@h/mcp?key=k"], "a has a url with a user name or password: put"],
  [["mcp", "remove", "none"], "There is no MCP server none"],
  [["mcp", "test", "none"], "The servers are: old."],
  [["mcp", "get", "none"], "The servers are: old."],
  [["mcp", "login", "none"], "The servers are: old."],
] as const)("%j is refused with what to do, and changes nothing", async ([args, message]) => {
  await using world = await openMcpWorld(config);
  expect(await world.run(...args)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
  expect((await world.run(...args)).stderr).not.toContain("sk-secret");
  expect(await world.readConfig()).toBe(config);
});

test("mcp test starts servers, and prints their tools with what they cost, and why one failed", async () => {
  await using world = await openMcpWorld("");
  const [real, broken] = [
    realServer("everything"),
    fakeServer("broken", { exitCode: 3, complaint: "no config\u001b[2J" }),
  ];
  for (const { id, command, args } of [real, broken]) await world.run("mcp", "add", id, "--", command, ...args);

  const up = await world.run("mcp", "test", "everything");
  expect(up).toMatchObject({ exitCode: 0, stderr: "" });
  expect(up.stdout).toMatch(/^everything: ready, \d+ tools, about [\d,]+ tokens in every request\n/);
  expect(up.stdout).toMatch(/\n {2}get-sum +\d+ {2}Returns the sum of two numbers\n/);

  const both = await world.run("mcp", "test");
  expect(both).toMatchObject({ exitCode: 1, stderr: "" });
  expect(both.stdout).toContain("\nbroken: failed\n");
  expect(both.stdout).toContain("no config");
  expect(both.stdout).not.toContain("\u001b");

  const { exitCode, stdout } = await world.run("mcp", "test", "--json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: "everything", state: "ready", tokens: expect.any(Number), error: null },
    { name: "broken", state: "failed", tools: [], error: { code: "server_died", message: expect.any(String) } },
  ]);
});

test("login sends a person to the server's page, and logout forgets the login", async () => {
  const { url } = await serveGuarded();
  await using world = await openMcpWorld("");
  await world.run("mcp", "add", "guarded", "--url", url);
  const off = await world.run("mcp", "list", "-c", "mcp_servers.guarded.enabled=false");
  expect(off).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^guarded {2}disabled/) });
  expect(await world.run("mcp", "test", "guarded")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("unroll mcp login guarded"),
  });

  const page = Promise.withResolvers<string>();
  const login = world.start(["mcp", "login", "guarded", "--scopes", "read, write"], (said) => {
    const [url = ""] = /http\S+code_challenge\S+(?=\n)/.exec(said) ?? [];
    if (url !== "") page.resolve(url);
  });
  expect(new URL(await page.promise).searchParams.get("scope")).toBe("read write");
  await (await fetch(await page.promise)).body?.cancel();
  expect(await login).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Logged in to guarded.") });
  expect(await world.run("mcp", "test", "guarded")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("guarded: ready, 1 tool,"),
  });

  expect(await world.run("mcp", "logout", "guarded")).toMatchObject({
    exitCode: 0,
    stdout: "Logged out of guarded.\n",
  });
  expect((await world.run("mcp", "test", "guarded")).exitCode).toBe(1);
});

test("the bundled program adds a server, tells a wrong name and tries servers", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const { id, command, args } = realServer("everything");
  expect(await world.run(["mcp", "add", id, "--", command, ...args])).toMatchObject({ exitCode: 0, stderr: "" });
  const missing = { exitCode: 2, stdout: "", stderr: expect.stringContaining("The servers are: everything.") };
  expect(await world.run(["mcp", "get", "none"])).toMatchObject(missing);
  expect(await world.run(["mcp", "test"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^everything: ready, \d+ tools, about [\d,]+ tokens in every request\n/),
  });
});
