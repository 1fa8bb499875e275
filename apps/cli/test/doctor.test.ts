import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findSystemProgram } from "@unroll/process-tree";
import { listen } from "@unroll/mcp/fixture/listen";
import { serveHostile } from "@unroll/mcp/fixture/serve-hostile";
import {
  createLlamaServerGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  startScriptedModel,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";
import { hasSandbox, openCommandWorld, type RanCommand } from "./run-unroll.ts";

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { readonly check: string; readonly state: string; readonly message: string }[];
}

interface Hosts {
  readonly hosts: readonly { readonly host: string | null; readonly purpose: string }[];
  readonly programs: readonly { readonly program: string }[];
}

const open = ["-s", "danger-full-access", "-c", "local_ports=[]"];
/** Keeps what is not looked at off the disk. */
const quick = [...open, "-c", "history.persistence=none"];

/** Which programs there are depends on the machine. */
const isTools: unknown = expect.stringMatching(/^tools: (ok|warning)$/);

/** A system may have no certificates. */
const areCertificates: unknown = expect.stringMatching(/^certs: (ok|warning)$/);

/** Each check with its state, and with what it says where that is of interest. */
function statesOf({ stdout }: RanCommand): readonly string[] {
  return (JSON.parse(stdout) as Report).checks.map(({ check, state }) => `${check}: ${state}`);
}

function messageOf({ stdout }: RanCommand, check: string): string | undefined {
  return (JSON.parse(stdout) as Report).checks.find((each) => each.check === check)?.message;
}

function toProvider(url: string, more = ""): string {
  return `model = "m"\nmodel_provider = "own"\n${more}\n[model_providers.own]\nname = "Own"\npreset = "openai"\nbase_url = "${url}"\n`;
}

test("if nothing is set up, doctor names the demo model and reports that all of it works", async () => {
  await using world = await openInProcessWorld();
  const ran = await world.run(["doctor", "--json", ...open]);
  expect(statesOf(ran)).toEqual([
    "node: ok",
    "terminal: skipped",
    isTools,
    "config: ok",
    areCertificates,
    "sandbox: warning",
    "threads: ok",
    "auth: warning",
    "provider: skipped",
    "local: skipped",
    "mcp: ok",
  ]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining('{"ok":true,') });
  expect(messageOf(ran, "auth")).toBe("No key and no login, so the built-in demo model answers.");
});

test.skipIf(!hasSandbox)("doctor says what the sandbox enforces", async () => {
  await using world = await openInProcessWorld();
  const ran = await world.run(["doctor", "--json"]);
  expect(messageOf(ran, "sandbox")).toMatch(/^read-only, by bubblewrap\. Commands cannot write any file\. /);
});

test("doctor asks the provider for its models and starts the MCP servers: one line each, with the remedy", async () => {
  await using model = await startScriptedModel({ script: { turns: [] }, models: ["a", "b"] });
  const mcp = await serveHostile(() => {});
  await using world = await openInProcessWorld();
  const servers = `[mcp_servers.docs]\nurl = "${mcp}"\nstartup_timeout_sec = 250\n[mcp_servers.gone]\ncommand = "no-such-program"\n`;
  const config = `${toProvider(model.url)}${servers}`;
  const ran = await world.run(["doctor", ...open], { config });
  const lines = ran.stdout.split("\n");
  expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
  expect(lines.slice(3, 4)).toEqual([`ok    config    Reads ${join(world.home, ".codex/config.toml")}.`]);
  expect(lines.slice(-9)).toEqual([
    `ok    threads   Threads are saved in ${join(world.home, ".codex/sessions")}; writing and locking work.`,
    "ok    auth      Own needs no key.",
    `warn  provider  Own responds at ${model.url} but does not list the model m. It lists a, b. Set model, or use -m.`,
    "warn  window    The context window of m is unknown: 128,000 tokens is a guess. Set model_context_window to the server's limit.",
    "-     local     Not searched: local_ports is empty.",
    expect.stringMatching(/^ok {4}mcp docs {2}It starts: 1 tool, about [\d,]+ tokens in every request\.$/),
    expect.stringMatching(/^FAIL {2}mcp gone {2}.*no program no-such-program .*unroll mcp test gone shows more; /),
    "1 check failed.",
    "",
  ]);
  expect(model.requests).toEqual([]);
});

test("a key that is refused, a server that is not there, and a missing key fail, a missing list does not; no key is shown", async () => {
  const server = await listen((request, response) => {
    if (request.url === "/bare/models") return void response.writeHead(404).end();
    response.writeHead(401).end(JSON.stringify({ error: { message: `wrong: ${request.headers.authorization}` } }));
  });
  await using world = await openInProcessWorld();
  const config = toProvider(server).replace("base_url", 'env_key = "OWN_KEY"\nbase_url');
  const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    world.run(["doctor", "--json", ...quick, ...args], { config, env });
  const refused = await run({ OWN_KEY: "sk-canary-1" });
  expect([refused.exitCode, messageOf(refused, "auth")]).toEqual([1, "Uses the key in $OWN_KEY."]);
  expect(messageOf(refused, "provider")).toContain("did not accept the credential (401)");
  const gone = await run({ OWN_KEY: "sk-canary-1" }, "-c", "model_providers.own.base_url=http://127.0.0.1:1/v1");
  expect(messageOf(gone, "provider")).toContain("check that the server is running and that base_url is right");
  const missing = await run({});
  expect([missing.exitCode, messageOf(missing, "auth")]).toEqual([1, "No key for Own."]);
  expect(messageOf(missing, "provider")).toBe("Not contacted Own: there is no working credential.");
  const bare = await run({ OWN_KEY: "sk-canary-1" }, "-c", `model_providers.own.base_url=${server}/bare`);
  expect([bare.exitCode, messageOf(bare, "provider")]).toEqual([
    0,
    `Own responds at ${server}/bare but lists no models (status 404), so the key is untested.`,
  ]);
  expect([refused, gone, missing, bare].map(({ stdout }) => stdout).join()).not.toContain("canary");
});

test("doctor asks a server of this machine how it is, and whether it has the model", async () => {
  const guise = createOllamaGuise({ version: "0.13.4", models: ["there"] });
  await using model = await startScriptedModel({ script: { turns: [] }, guise });
  await using world = await openInProcessWorld();
  const env = { CODEX_OSS_BASE_URL: model.url };
  const [ready, missing] = await Promise.all(
    ["there", "elsewhere"].map((name) =>
      world.run(["doctor", "--json", ...quick, "-c", "model_provider=ollama", "-m", name], { env }),
    ),
  );
  expect(ready && [ready.exitCode, messageOf(ready, "provider")]).toEqual([
    0,
    expect.stringMatching(/Ollama 0\.13\.4 responds at .* and has the model there\.$/),
  ]);
  expect(missing && [missing.exitCode, messageOf(missing, "provider")]).toEqual([
    1,
    expect.stringContaining("get it with `ollama pull elsewhere`"),
  ]);
});

test("doctor tells which servers of models listen on this machine, each with the line that uses it", async () => {
  const guises = [createOllamaGuise({ version: "1.0.0", models: ["a", "b"] }), createLlamaServerGuise({ model: "c" })];
  const [ollama, llama] = await Promise.all(
    guises.map((guise) => startScriptedModel({ script: { turns: [] }, guise })),
  );
  const plain = await startScriptedModel({ script: { turns: [] }, models: ["d"] });
  await using closing = new AsyncDisposableStack();
  for (const server of [ollama, llama, plain]) if (server) closing.use(server);
  await using world = await openInProcessWorld();
  const ports = [ollama, llama, plain].map((server) => new URL(server?.url ?? "").port);
  const ran = await world.run(["doctor", ...quick, "-c", `local_ports=[${ports.join(", ")}]`]);
  expect(ran.stdout.split("\n").filter((line) => line.includes("local "))).toEqual([
    `ok    local     Ollama responds at http://127.0.0.1:${ports[0]}/v1 with a, b. To use it: CODEX_OSS_PORT=${ports[0]} unroll --local-provider ollama -m a`,
    `ok    local     llama.cpp responds at http://127.0.0.1:${ports[1]}/v1 with c. To use it: CODEX_OSS_PORT=${ports[1]} unroll --local-provider llamacpp`,
    `ok    local     A model server responds at http://127.0.0.1:${ports[2]}/v1 with d. To use it: unroll -c model_provider=mine -c model_providers.mine.base_url=http://127.0.0.1:${ports[2]}/v1 -m d`,
  ]);
  const none = await world.run(["doctor", "--json", ...quick, "-c", "local_ports=[1]"]);
  expect(messageOf(none, "local")).toBe("No model server found on this machine (port 1).");
  expect(plain.requests).toEqual([]);
});

test("doctor names the model that a run would use, and fails where there is none, or no Responses API", async () => {
  await using world = await openInProcessWorld();
  const run = async (guise: Guise, ...args: readonly string[]): Promise<readonly unknown[]> => {
    await using model = await startScriptedModel({ script: { turns: [] }, guise });
    const ran = await world.run(["doctor", "--json", ...quick, ...args], { env: { CODEX_OSS_BASE_URL: model.url } });
    return [ran.exitCode, messageOf(ran, "provider")?.replaceAll(model.url, "URL")];
  };
  const llamacpp = ["--local-provider", "llamacpp"];
  expect(await run(createLlamaServerGuise({ model: "c" }), ...llamacpp)).toEqual([
    0,
    "llama.cpp responds at URL; uses its only model, c.",
  ]);
  expect(await run(createVllmGuise({ models: ["a", "b"] }), "--local-provider", "vllm")).toEqual([
    1,
    "No model is named, and vLLM has 2: a, b. Choose: name one with -m, or set model in config.toml.",
  ]);
  expect(await run(createLlamaServerGuise({ model: "c", knowsResponses: false }), ...llamacpp)).toEqual([
    1,
    "llama.cpp at URL has no /responses, only /chat/completions, which unroll does not use. Update it, or put a server in front of it that has /responses.",
  ]);
});

test.each([
  [
    "llamacpp",
    createLlamaServerGuise({ model: "c" }),
    "The context window of c is 131,072 tokens, as llama.cpp reports.",
  ],
  ["vllm", createVllmGuise({ models: ["c"] }), "The context window of c is "],
])("doctor shows the window of the only model of %s, which a run would use", async (provider, guise, window) => {
  await using world = await openInProcessWorld();
  await using model = await startScriptedModel({ script: { turns: [] }, guise });
  const env = { CODEX_OSS_BASE_URL: model.url };
  const ran = await world.run(["doctor", "--json", ...quick, "--local-provider", provider], { env });
  expect(messageOf(ran, "window")).toContain(window);
});

test("exec searches for no server; without a named model it uses the server's only one or lists them", async () => {
  await using world = await openInProcessWorld();
  const run = async (guise: Guise): Promise<RanCommand> => {
    await using model = await startScriptedModel({ script: { turns: [{ items: [{ text: "Hello." }] }] }, guise });
    using watched = watchConnections();
    const env = { CODEX_OSS_BASE_URL: model.url };
    const flags = ["--local-provider", "vllm", "--skip-git-repo-check", "-s", "danger-full-access"];
    const ran = await world.run(["exec", ...flags, "Hi"], { env });
    expect([...watched.hosts]).toEqual([new URL(model.url).host]);
    return ran;
  };
  expect(await run(createVllmGuise({ models: ["a"] }))).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
  expect(await run(createVllmGuise({ models: ["a", "b"] }))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("No model is named, and vLLM has 2: a, b."),
  });
});

test("doctor names the place of an invalid config, and still runs the checks that need none", async () => {
  await using world = await openInProcessWorld();
  const ran = await world.run(["doctor", "--json"], { config: "\nfoo = = 1\n" });
  expect(ran.exitCode).toBe(1);
  expect(messageOf(ran, "config")).toContain("config.toml:2:7: this is not valid TOML");
  expect(statesOf(ran)).toEqual([
    "node: ok",
    "terminal: skipped",
    isTools,
    "config: failed",
    areCertificates,
    "threads: ok",
    ...["sandbox", "auth", "provider", "local", "mcp"].map((check) => `${check}: skipped`),
  ]);
  expect(await world.run(["doctor", "--hosts"])).toMatchObject({ exitCode: 5, stdout: "" });
});

test("doctor reports keys without effect, an unusable store and an unusable login", async () => {
  await using world = await openInProcessWorld();
  await writeFile(join(world.home, ".codex/auth.json"), "{");
  await writeFile(join(world.home, ".codex/sessions"), "");
  const ran = await world.run(["doctor", "--json", ...open], { config: "modell = 1\n" });
  expect(statesOf(ran).filter((each) => !/^tools|: (ok|skipped)$/.test(each))).toEqual([
    "config: warning",
    "sandbox: warning",
    "threads: failed",
    "auth: failed",
  ]);
  expect(messageOf(ran, "config")).toMatch(/^Reads .*config\.toml\.$/);
  const kept = await world.run(["doctor", "--json", ...open, "-c", "history.persistence=none"]);
  expect(messageOf(kept, "threads")).toBe("Threads are not saved: history.persistence is none.");
});

test("an effort that the model does not take fails the check of the config, for no thread starts with it", async () => {
  await using world = await openInProcessWorld();
  const config = 'model = "gpt-5.2"\nmodel_reasoning_effort = "max"\n';
  const ran = await world.run(["doctor", "--json", ...open], { config });
  expect(statesOf(ran)).toContain("config: failed");
  expect(ran.stdout).toContain("only none, low, medium, high, xhigh. Threads cannot start with it.");
});

test("on a narrow terminal doctor folds its lines", async () => {
  await using world = await openInProcessWorld();
  const { stdout } = await world.run(["doctor", ...quick], { size: { columns: 50, rows: 20 }, env: { TERM: "xterm" } });
  const rows = stdout.split("\n");
  expect(rows.filter((row) => row.length > 50)).toEqual([]);
  expect(rows).toContain("ok    terminal  50 columns, 20 rows, TERM is");
  expect(rows).toContain(`${" ".repeat("ok    terminal  ".length)}xterm.`);
});

test("^C ends doctor while an MCP server does not come up", async () => {
  await using world = await openInProcessWorld();
  const config = `[mcp_servers.hang]\ncommand = "sleep"\nargs = ["1000"]\nstartup_timeout_sec = 300\n`;
  const onStdout = (text: string, interrupt: () => void): void => void (text.includes("provider") && interrupt());
  const ran = await world.run(["doctor", ...quick], { config, onStdout });
  expect(ran).toMatchObject({ exitCode: 130, stderr: "", stdout: expect.not.stringContaining("mcp") });
});

/** `host:port` of each connection that this process begins, and names that it asks for in vain. */
function watchConnections(): Disposable & { readonly hosts: Set<string> } {
  const hosts = new Set<string>();
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (ip: string, port: number) => void hosts.add(`${ip}:${port}`));
    socket.on("lookup", (...[, , , host]: readonly unknown[]) => void hosts.add(String(host)));
  };
  diagnostics.subscribe("net.client.socket", onSocket);
  return { hosts, [Symbol.dispose]: () => void diagnostics.unsubscribe("net.client.socket", onSocket) };
}

test("doctor --hosts names everybody that exec contacts, and contacts nobody itself", async () => {
  await using model = await startScriptedModel({ script: { turns: [{ items: [{ text: "Hello." }] }] } });
  const mcp = await serveHostile(() => {});
  await using world = await openInProcessWorld();
  const config = `${toProvider(model.url)}[mcp_servers.docs]\nurl = "${mcp}"\n[mcp_servers.off]\nurl = "http://127.0.0.1:1/mcp"\nenabled = false\n`;
  using watched = watchConnections();
  const listed = await world.run(["doctor", "--hosts", "--json"], {
    config,
    env: { https_proxy: "http://u:p@prox:1" },
  });
  expect([...watched.hosts]).toEqual([]);
  const { hosts, programs } = JSON.parse(listed.stdout) as Hosts;
  const [modelHost, mcpHost] = [model.url, mcp].map((url) => new URL(url).host);
  expect(hosts.map(({ host, purpose }) => [purpose, host])).toEqual([
    ["model", modelHost],
    ["login", "auth.openai.com"],
    ["mcp", mcpHost],
    ["mcp", null],
    ["proxy", "prox:1"],
    ...[11434, 1234, 8080, 9931, 8000, 30000].map((port) => ["local", `127.0.0.1:${port}`]),
  ]);
  expect(programs.map(({ program }) => program)).toEqual(["commands"]);

  const ran = await world.run(["exec", "--skip-git-repo-check", "--wait-mcp", ...open, "Hi"]);
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
  expect(watched.hosts).toEqual(new Set([modelHost, mcpHost]));
});

test("doctor --hosts tells a person the same, and which programs contact whom they like", async () => {
  await using world = await openInProcessWorld();
  const { stdout } = await world.run(["doctor", "--hosts", ...open, "-c", "local_ports=[9931]"], {
    config: '[mcp_servers.own]\ncommand = "server"\n',
  });
  expect(stdout).toBe(
    [
      "127.0.0.1        model  the demo model, inside this process",
      "auth.openai.com  login  unroll login and logout only",
      "127.0.0.1:9931   local  checked by doctor and on the first run (local_ports)",
      "",
      "No other host is contacted. unroll sends no telemetry.",
      "Programs that unroll runs may contact any host:",
      "  server: the MCP server own",
      "  commands: run by the model, with network access",
      "",
    ].join("\n"),
  );
});

test("the bundled program has a doctor: 0 if all works, 2 for unknown flags", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const ran = await world.run(["doctor", "--json", ...open]);
  expect([ran.exitCode, ran.stderr, messageOf(ran, "provider")]).toEqual([
    0,
    "",
    expect.stringContaining("test responds"),
  ]);
  expect(await world.run(["doctor", "--bogus"])).toMatchObject({ exitCode: 2, stdout: "" });
});

test("doctor counts the authorities that unroll trusts, and names the variables that add to them", async () => {
  await using world = await openInProcessWorld();
  const file = "/sys/nonexistent/ca.pem";
  const named = await world.run(["doctor", "--json"], { env: { NODE_EXTRA_CA_CERTS: file } });
  expect(messageOf(named, "certs")).toMatch(
    /^unroll trusts [\d,]+ authorities, including those of NODE_EXTRA_CA_CERTS\./,
  );
  // a file in a temporary folder never counts, even if Node.js read it
  const env = { NODE_EXTRA_CA_CERTS: join(world.home, "ca.pem"), SSL_CERT_FILE: join(world.home, "ca.pem") };
  const refused = await world.run(["doctor", "--json"], { env });
  expect(messageOf(refused, "certs")).toMatch(/^unroll trusts [\d,]+ authorities\./);
  for (const name of Object.keys(env))
    expect(refused.stdout).toContain(`The certificates of ${name} are not used: ${world.home}`);
});

test("doctor names the programs and the locale that commands would miss", async () => {
  await using world = await openInProcessWorld();
  const bare = join(world.home, "bare");
  await mkdir(bare);
  const ran = await world.run(["doctor", "--json"], { env: { PATH: bare, LANG: "C" } });
  expect(messageOf(ran, "tools")).toBe(
    "Commands run in sh. Not on PATH: bash, git, ripgrep. No locale with UTF-8 is set, so programs may garble text that is not ASCII.",
  );
  for (const name of ["bash", "git", "rg"]) await writeFile(join(bare, name), "#!/bin/sh\n", { mode: 0o755 });
  const full = await world.run(["doctor", "--json"], { env: { PATH: bare, LANG: "C.UTF-8" } });
  const isFull = "Commands run in bash; git and rg are there.";
  expect(messageOf(full, "tools")).toBe(isFull);
  const absent = await world.run(["doctor"], { env: { PATH: bare, LC_ALL: "xx_XX.utf8", LANG: "C.UTF-8" } });
  expect(absent.stdout.replaceAll(/\s+/g, " ")).toContain(
    findSystemProgram("locale") === null
      ? isFull
      : "Commands run in bash. The locale xx_XX.utf8 of LC_ALL is not installed, so programs may garble text that is not ASCII. Set LC_ALL=C.UTF-8.",
  );
});
