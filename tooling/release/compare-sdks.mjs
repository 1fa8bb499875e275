// What one task costs with each SDK: a tool of one's own, an approval, streaming, what was used. Installs each into an empty project under
// a temporary folder and measures there: lines of the shortest program that does it (sdk-programs/), packages, MB, whether the program can
// refuse the call (gated) and see it before (visible), by running it where the scripted model speaks its language, and a cold import of
// all that the program imports, but for zod. Needs the build and the registry; publishes and leaves nothing.
// usage: npm run bench -- sdks [--rounds N]
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../../packages/scripted-model/dist/index.js";
import { startRegistry } from "./local-registry.mjs";
import { packAll } from "./pack.mjs";
import { installProject, measureProject } from "./projects.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const programs = join(root, "tooling/release/sdk-programs");
const rounds = Number(process.argv[2] ?? 5);
/** `speaks`: whether the scripted model can answer it, so that its program is run. */
const sdks = [
  { name: "@unroll/harness", program: "unroll.mjs", dependencies: { "@unroll/harness": "*" }, speaks: true },
  { name: "ai", program: "ai.mjs", dependencies: { ai: "7", "@ai-sdk/openai": "*" }, speaks: true },
  { name: "@openai/agents", program: "openai-agents.mjs", dependencies: { "@openai/agents": "0.20" }, speaks: true },
  {
    name: "@anthropic-ai/claude-agent-sdk",
    program: "claude-agent-sdk.mjs",
    dependencies: { "@anthropic-ai/claude-agent-sdk": "*" },
    speaks: false,
  },
  { name: "@openai/codex-sdk", program: null, dependencies: { "@openai/codex-sdk": "*" }, speaks: false },
];

/** As in this repository, and an object that fits into a line is one, whoever wrote it. */
const layout = { printWidth: 120, objectWrap: "collapse" };
/** Laws that our requests keep and others need not. */
const checks = { prefix: false, calls: false, fields: false, store: false };

const scratch = mkdtempSync(join(tmpdir(), "unroll-compare-"));
try {
  const packed = await packAll(root, scratch);
  await using registry = await startRegistry(packed);
  const rows = [];
  for (const sdk of sdks) rows.push(await measure(sdk, registry.url));
  const times = await measureImports();
  process.stdout.write(
    `| SDK | version | lines | packages | MB | own tool gated | call visible | cold import, ms (CPU) |\n|---|---|---|---|---|---|---|---|\n`,
  );
  for (const [index, row] of rows.entries()) process.stdout.write(`| ${[...row, times[index]].join(" | ")} |\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure({ name, program, dependencies, speaks }, registry) {
  const folder = folderOf(name);
  await installProject({ folder, manager: "npm", registry, dependencies: { ...dependencies, zod: "4.6.7" } });
  const { packages, megabytes } = measureProject(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  const lines = program === null ? "no tool of one's own" : await countLines(program);
  const { gated, visible } = speaks ? await playProgram(folder, program) : { gated: "not run", visible: "not run" };
  return [name, version, lines, packages, megabytes, gated, visible];
}

/** Lines with code, all laid out by one formatter: comments and blank lines do not count. */
async function countLines(program) {
  const folder = join(scratch, "formatted");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, program);
  copyFileSync(join(programs, program), file);
  writeFileSync(join(folder, ".oxfmtrc.json"), JSON.stringify(layout));
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
  copyFileSync(join(programs, program), join(folder, program));
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

/**
 * A process of its own for each import, one of each SDK after the other in every round, so that whatever else the machine does
 * is the same for all. The median of its CPU, and of its wall clock, both without the start of Node.js.
 */
async function measureImports() {
  const taken = sdks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, sdk] of sdks.entries()) taken[index].push(await timeImports(sdk));
  }
  return taken.map((times) => `${median(times.map(({ wall }) => wall))} (${median(times.map(({ cpu }) => cpu))})`);
}

async function timeImports(sdk) {
  const imports = listImports(sdk).map((name) => `import(${JSON.stringify(name)})`);
  const code = `const at = process.cpuUsage(), from = performance.now(); await Promise.all([${imports.join()}]); const wall = performance.now() - from, { user, system } = process.cpuUsage(at); console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folderOf(sdk.name) });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** zod is the program's own, and would hide what differs. */
function listImports({ name, program }) {
  if (program === null) return [name];
  const text = readFileSync(join(programs, program), "utf8");
  return [...text.matchAll(/ from "([^"]+)";/g)].map(([, from]) => from).filter((from) => from !== "zod");
}

function folderOf(name) {
  return join(scratch, name.replaceAll("/", "-"));
}

function median(numbers) {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]);
}
