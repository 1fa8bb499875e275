// Measures one task with each SDK: a tool of the program's own, a decision about each call by its arguments, the answer
// streamed, and the tokens used. Installs each SDK into an empty project under a temporary folder and checks its
// program (sdk-programs/) with strict TypeScript. Runs it against a scripted model that calls the tool for staging, which
// must run, and for production, which must not. Then measures lines, packages, MB, and the time from the start of the process to its end, one SDK after the other in every round.
// Needs the build and the registry; publishes and leaves nothing.
// usage: npm run bench -- sdks [--rounds N]
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureTimes } from "../../bench/src/measure-process.ts";
import { startScriptedModel } from "../../packages/scripted-model/dist/index.js";
import { startRegistry } from "./local-registry.mjs";
import { startMessagesServer } from "./messages-server.mjs";
import { packAll } from "./pack.mjs";
import { installProject, measureProject } from "./projects.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const programs = join(root, "tooling/release/sdk-programs");
const rounds = Number(process.argv[2] ?? 5);
const zod = { zod: "4.6.7" };
/** The newest version of each. Of pi, 0.x: 1.x needs packages that not every registry has. */
const sdks = [
  { name: "@unroll/harness", program: "unroll", dependencies: { "@unroll/harness": "*", ...zod } },
  { name: "ai", program: "ai", dependencies: { ai: "*", "@ai-sdk/openai": "*", ...zod } },
  { name: "@openai/agents", program: "openai-agents", dependencies: { "@openai/agents": "*", ...zod } },
  {
    name: "@anthropic-ai/claude-agent-sdk",
    program: "claude-agent-sdk",
    dependencies: { "@anthropic-ai/claude-agent-sdk": "*", ...zod },
  },
  {
    name: "@earendil-works/pi-coding-agent",
    program: "pi",
    dependencies: { "@earendil-works/pi-coding-agent": "<0.99", typebox: "*" },
  },
];

/** As in this repository; an object that fits into a line is written as one, so all programs have the same layout. */
const layout = { printWidth: 120, objectWrap: "collapse" };
const strict = [
  "--strict",
  "--noUncheckedIndexedAccess",
  "--skipLibCheck",
  "--module",
  "nodenext",
  "--target",
  "esnext",
];
/** Laws that our requests keep and others need not. */
const checks = { prefix: false, calls: false, fields: false, store: false };
const lastWords = "That was all.";

const scratch = mkdtempSync(join(tmpdir(), "unroll-compare-"));
try {
  const packed = await packAll(root, scratch);
  await using registry = await startRegistry(packed);
  const installed = [];
  for (const sdk of sdks) installed.push(await prepare(sdk, registry.url));
  const times = await measureTurns();
  process.stdout.write(renderTable(installed, times));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function prepare({ name, program, dependencies }, registry) {
  const folder = folderOf(program);
  await installProject({ folder, manager: "npm", registry, dependencies });
  const { packages, megabytes } = measureProject(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  copyFileSync(join(programs, `${program}.ts`), join(folder, `${program}.ts`));
  const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node"];
  await run(join(root, "node_modules/.bin/tsc"), [...strict, ...types, `${program}.ts`], { cwd: folder });
  await checkDecisions(program);
  return { title: `\`${name}\` ${version}`, lines: await countLines(program), packages, megabytes };
}

/** Lines with code, all laid out by one formatter: comments and blank lines do not count. */
async function countLines(program) {
  const folder = join(scratch, "formatted");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${program}.ts`);
  copyFileSync(join(programs, `${program}.ts`), file);
  writeFileSync(join(folder, ".oxfmtrc.json"), JSON.stringify(layout));
  await run(join(root, "node_modules/.bin/oxfmt"), [file], { cwd: folder });
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}

/** Throws unless the program let the call for staging run, refused the one for production, and wrote the model's last words. */
async function checkDecisions(program) {
  for (const target of ["staging", "production"]) {
    await using turn = await openTurn(program, target);
    const [file, ...args] = turn.command.argv;
    const { stdout } = await run(file, args, { cwd: turn.command.cwd, env: turn.command.env, timeout: 60_000 });
    const isDeployed = JSON.stringify(turn.readOutputs()).includes(`deployed to ${target}`);
    if (!stdout.includes(lastWords) || isDeployed !== (target === "staging"))
      throw new Error(`${program}, asked for ${target}, wrote: ${stdout}`);
  }
}

/** Wall and CPU time in ms of each program, from the start of its process to its end; CPU with the processes that it starts. */
async function measureTurns() {
  const times = sdks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { program }] of sdks.entries()) {
      await using turn = await openTurn(program, "staging");
      times[index].push(await measureTimes(turn.command));
    }
  }
  return times;
}

/** A model that calls the tool for `target`, and the command that runs the program against it. */
async function openTurn(program, target) {
  const servers = new AsyncDisposableStack();
  const turns = [{ items: [{ call: "deploy", arguments: { target } }] }, { items: [{ text: lastWords }] }];
  const model = servers.use(await startScriptedModel({ script: { turns }, checks }));
  const call = { tool: "mcp__own__deploy", input: { target }, text: lastWords };
  const messages = servers.use(await startMessagesServer(call));
  const folder = folderOf(program);
  writePiModels(folder, model.url);
  const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder, ...toEnv(program, model.url, messages.url) };
  return {
    command: { argv: [process.execPath, `${program}.js`], cwd: folder, env },
    readOutputs: () => [
      ...messages.outputs,
      ...(model.requests.at(-1)?.body.input.filter(({ type }) => type === "function_call_output") ?? []),
    ],
    [Symbol.asyncDispose]: () => servers.disposeAsync(),
  };
}

/** The variables that give each SDK its server, and keep it from asking others. */
function toEnv(program, url, messagesUrl) {
  if (program === "pi") return { PI_OFFLINE: "1" };
  if (program === "claude-agent-sdk")
    return {
      ANTHROPIC_API_KEY: "any",
      ANTHROPIC_BASE_URL: messagesUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
  return { OPENAI_API_KEY: "any", OPENAI_BASE_URL: url, OPENAI_AGENTS_DISABLE_TRACING: "1" };
}

/** pi has its models in a file of the home. */
function writePiModels(folder, url) {
  const provider = { baseUrl: url, api: "openai-responses", apiKey: "none", models: [{ id: "gpt-5" }] };
  mkdirSync(join(folder, ".pi/agent"), { recursive: true });
  writeFileSync(join(folder, ".pi/agent/models.json"), JSON.stringify({ providers: { bench: provider } }));
}

/** A row for each measure, with the SDK that leads it. Ratios are medians of the rounds' ratios to the first SDK. */
function renderTable(installed, times) {
  const ratios = (kind) => times.map((each) => each.map((time, round) => time[kind] / times[0][round][kind]));
  const rows = [
    ["lines of code", installed.map(({ lines }) => lines)],
    ["packages installed", installed.map(({ packages }) => packages)],
    ["MB installed", installed.map(({ megabytes }) => megabytes)],
    ["start to end, ms", times.map((each) => Math.round(median(each.map(({ wall }) => wall))))],
    ["start to end, CPU ms", times.map((each) => Math.round(median(each.map(({ cpu }) => cpu))))],
  ].map(([label, values]) => [label, ...values, findLeader(values)]);
  for (const [label, kind] of [
    ["start to end, ratio", "wall"],
    ["CPU, ratio", "cpu"],
  ])
    rows.push([label, ...ratios(kind).map(renderRange), findLeader(ratios(kind).map(median))]);
  const header = ["", ...installed.map(({ title }) => title), "leads"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function findLeader(values) {
  return sdks
    .filter((_, index) => values[index] === Math.min(...values))
    .map(({ program }) => program)
    .join(", ");
}

/** The median, and what half of the values are between. */
function renderRange(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [0.25, 0.75].map((share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(2));
  return `${median(values).toFixed(2)}x (${low} to ${high})`;
}

function folderOf(program) {
  return join(scratch, program);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
