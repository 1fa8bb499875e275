// What one task costs with each SDK: a tool of one's own, an approval, streaming. Installs each into an empty project under a
// temporary folder and measures there: lines of the shortest program that does it (tooling/release/sdk-programs), packages, MB, whether the
// program can refuse the call (gated) and see it (visible), and a cold import. Needs the registry; publishes and leaves nothing.
// usage: node tooling/release/compare-sdks.mjs [rounds]
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRegistry } from "./local-registry.mjs";
import { packAll } from "./pack.mjs";
import { installProject, measureProject } from "./projects.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const rounds = Number(process.argv[2] ?? 5);
/** `gated`, `visible`: by their own documents and types, see the comment of each program. */
const sdks = [
  {
    name: "@unroll/harness",
    program: "unroll.mjs",
    dependencies: { "@unroll/harness": "*", zod: "4.6.7" },
    gated: "yes",
    visible: "yes",
  },
  {
    name: "ai",
    program: "ai.mjs",
    dependencies: { ai: "7", "@ai-sdk/openai": "*", zod: "4.6.7" },
    gated: "yes",
    visible: "yes",
  },
  {
    name: "@openai/agents",
    program: "openai-agents.mjs",
    dependencies: { "@openai/agents": "*", zod: "4.6.7" },
    gated: "yes",
    visible: "yes",
  },
  {
    name: "@anthropic-ai/claude-agent-sdk",
    program: "claude-agent-sdk.mjs",
    dependencies: { "@anthropic-ai/claude-agent-sdk": "*", zod: "4.6.7" },
    gated: "yes",
    visible: "yes",
  },
  {
    name: "@openai/codex-sdk",
    program: null,
    dependencies: { "@openai/codex-sdk": "*" },
    gated: "no",
    visible: "no tool of one's own",
  },
];

const scratch = mkdtempSync(join(tmpdir(), "unroll-compare-"));
try {
  const packed = await packAll(root, scratch);
  await using registry = await startRegistry(packed);
  const rows = [];
  for (const sdk of sdks) rows.push(await measure(sdk, registry.url));
  process.stdout.write(
    `| SDK | version | lines | packages | MB | own tool gated | call visible | cold import, ms |\n|---|---|---|---|---|---|---|---|\n`,
  );
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure({ name, program, dependencies, gated, visible }, registry) {
  const folder = join(scratch, name.replaceAll("/", "-"));
  await installProject({ folder, manager: "npm", registry, dependencies });
  const { packages, megabytes } = measureProject(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  return [
    name,
    version,
    program === null ? "-" : countLines(program),
    packages,
    megabytes,
    gated,
    visible,
    await measureImport(folder, name),
  ];
}

/** Lines with code: comments and blank lines do not count. */
function countLines(program) {
  const file = join(root, "tooling/release/sdk-programs", program);
  if (!existsSync(file)) return "-";
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}

/** Of a process of its own, without the start of Node.js; the median. */
async function measureImport(folder, name) {
  const code = `const at = performance.now(); await import(${JSON.stringify(name)}); console.log(performance.now() - at);`;
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder });
    times.push(Number(stdout.trim().split("\n").at(-1)));
  }
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]);
}
