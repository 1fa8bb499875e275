// What one task costs with each SDK: a tool of one's own, an approval, streaming. Installs each into an empty project under a
// temporary folder and measures there: lines of the shortest program that does it (tooling/release/sdk-programs), packages, MB, whether the
// program can refuse the call (gated) and see it before (visible), by running it where the scripted model speaks its language, and a
// cold import. Needs the build and the registry; publishes and leaves nothing.
// usage: node tooling/release/compare-sdks.mjs [rounds]
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../../packages/scripted-model/dist/index.js";
import { startRegistry } from "./local-registry.mjs";
import { packAll } from "./pack.mjs";
import { installProject, measureProject } from "./projects.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const rounds = Number(process.argv[2] ?? 5);
/** `speaks`: whether the scripted model can answer it, so that its program is run. */
const sdks = [
  { name: "@unroll/harness", program: "unroll.mjs", dependencies: { "@unroll/harness": "*" }, speaks: true },
  { name: "ai", program: "ai.mjs", dependencies: { ai: "7", "@ai-sdk/openai": "*" }, speaks: true },
  { name: "@openai/agents", program: "openai-agents.mjs", dependencies: { "@openai/agents": "*" }, speaks: true },
  {
    name: "@anthropic-ai/claude-agent-sdk",
    program: "claude-agent-sdk.mjs",
    dependencies: { "@anthropic-ai/claude-agent-sdk": "*" },
    speaks: false,
  },
  { name: "@openai/codex-sdk", program: null, dependencies: { "@openai/codex-sdk": "*" }, speaks: false },
];

/** Laws that our requests keep and others need not. */
const checks = { prefix: false, calls: false, fields: false, store: false };

const scratch = mkdtempSync(join(tmpdir(), "unroll-compare-"));
try {
  const packed = await packAll(root, scratch);
  await using registry = await startRegistry(packed);
  const rows = [];
  for (const sdk of sdks) rows.push(await measure(sdk, registry.url));
  process.stdout.write(
    `| SDK | version | lines | packages | MB | own tool gated | call visible | cold import, ms (CPU) |\n|---|---|---|---|---|---|---|---|\n`,
  );
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure({ name, program, dependencies, speaks }, registry) {
  const folder = join(scratch, name.replaceAll("/", "-"));
  await installProject({ folder, manager: "npm", registry, dependencies: { ...dependencies, zod: "4.6.7" } });
  const { packages, megabytes } = measureProject(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  const lines = program === null ? "no tool of one's own" : await countLines(program);
  const { gated, visible } = speaks ? await playProgram(folder, program) : { gated: "not run", visible: "not run" };
  return [name, version, lines, packages, megabytes, gated, visible, await measureImport(folder, name)];
}

/** Lines with code, all laid out by one formatter: comments and blank lines do not count. */
async function countLines(program) {
  const folder = join(scratch, "formatted");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, program);
  copyFileSync(join(root, "tooling/release/sdk-programs", program), file);
  copyFileSync(join(root, ".oxfmtrc.json"), join(folder, ".oxfmtrc.json"));
  await run(join(root, "node_modules/.bin/oxfmt"), [program], { cwd: folder });
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}

/**
 * Runs the program twice on a scripted model, which calls the tool for staging, then for production: it lets only the first
 * run. `gated`: nothing was deployed to production. `visible`: it could tell the two apart, by arguments that it saw before.
 */
async function playProgram(folder, program) {
  copyFileSync(join(root, "tooling/release/sdk-programs", program), join(folder, program));
  const outputs = {};
  for (const target of ["staging", "production"]) outputs[target] = await playTurn(folder, program, target);
  const [isStaged, isProduced] = ["staging", "production"].map((target) =>
    outputs[target].includes(`deployed to ${target}`),
  );
  return { gated: isProduced ? "no" : "yes", visible: isStaged && !isProduced ? "yes" : "no" };
}

/** What the model was told of its call, as JSON. Throws where the program did not write the model's last words. */
async function playTurn(folder, program, target) {
  const turns = [{ items: [{ call: "deploy", arguments: { target } }] }, { items: [{ text: "That was all." }] }];
  await using server = await startScriptedModel({ script: { turns }, checks });
  const own = { HOME: folder, CODEX_HOME: folder, OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  const env = { PATH: process.env.PATH, OPENAI_AGENTS_DISABLE_TRACING: "1", ...own };
  const { stdout } = await run(process.execPath, [program], { cwd: folder, env, timeout: 60_000 });
  if (!stdout.includes("That was all.")) throw new Error(`${program} wrote: ${stdout}`);
  const { input } = server.requests.at(-1).body;
  return JSON.stringify(input.filter(({ type }) => type === "function_call_output"));
}

/** CPU of a process of its own, without the start of Node.js; the median. The wall tells of what else the machine does. */
async function measureImport(folder, name) {
  const code = `const at = process.cpuUsage(); await import(${JSON.stringify(name)}); const { user, system } = process.cpuUsage(at); console.log((user + system) / 1000);`;
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder });
    times.push(Number(stdout.trim().split("\n").at(-1)));
  }
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]);
}
