// Every public client that conformance knows, in one run and one table: see README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArguments, text } from "../tooling/parse-arguments.ts";
import { clientPackages } from "./front-ends/packages.mjs";
import { renderRows } from "./rows.mjs";

const usage = "pnpm conformance [CODEX] [--clients DIR] [--write]";
const { program, clients, write } = parseArguments(usage, { words: { program: text }, options: { clients: text }, flags: ["write"] });
const table = join(import.meta.dirname, "table.json");
const mcpSuite = "npm:@modelcontextprotocol/conformance";
const ofMcp = [`mcp-suite@${mcpSuite}@0.2.0-alpha.12`, `mcp-suite-of-release@${mcpSuite}@0.1.16`];
const ofExec = ["@openai/codex-sdk", "@openai/agents", "@openai/agents-extensions", "@modelcontextprotocol/client"];
const ofModels = ["openai", "@ai-sdk/openai", "@langchain/openai", "@langchain/core"];
const packages = [...clientPackages, ...ofExec, ...ofModels, ...ofMcp];
const asked = program ?? process.env.CODEX ?? null;
const codex = asked === null || !existsSync(asked) ? null : resolve(asked);
const scratch = mkdtempSync(join(tmpdir(), "unroll-conformance-"));
const folder = clients === null ? scratch : resolve(clients);
const needsCodex = asked === null ? "no Codex CLI is named, by an argument or CODEX" : `there is no Codex CLI at ${asked}`;
/** `args` null: it cannot run without the Codex CLI. */
const scripts = [
  ["front-ends/compare-exec.mjs", codex === null ? null : [folder, "--codex", codex]],
  ["front-ends/compare-app-server.mjs", codex === null ? null : [codex]],
  ["front-ends/remote.mjs", codex === null ? null : [codex]],
  ["front-ends/run.mjs", [folder, ...(codex === null ? [] : ["--reference", codex])]],
  ["mcp/run.mjs", [folder]],
  ["clients/run.mjs", [folder]],
];

try {
  const reference = codex === null ? null : execFileSync(codex, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().replace("codex-cli", "the Codex CLI");
  if (clients === null) install();
  const ran = scripts.map(([script, args]) => ({ script, ...(args === null ? { rows: [], isSkipped: true } : run(script, args)) }));
  const found = { date: new Date().toISOString().slice(0, 10), reference, rows: ran.flatMap(({ rows }) => rows) };
  console.log(`\n${renderRows(found)}\n`);
  const skipped = ran.filter(({ isSkipped }) => isSkipped).map(({ script }) => script);
  if (codex === null) console.log(`Skipped: ${skipped.join(", ")}, and the Codex CLI's side of front-ends/run.mjs: ${needsCodex}.`);
  for (const { script, code } of ran.filter(({ code = 0 }) => code !== 0)) console.log(`${script} ended with ${code}: see its lines above.`);
  if (write && codex === null) console.log("Nothing is written: a run without the Codex CLI has not compared.");
  else if (write) writeFileSync(table, `${JSON.stringify(found, null, 2)}\n`);
  process.exitCode = ran.some(({ code = 0 }) => code !== 0) || found.rows.some(({ broken }) => broken.length > 0) ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true });
}

/** Runs one script; its lines go to stderr, so that stdout has the table alone. */
function run(script, args) {
  const file = join(scratch, "rows.json");
  rmSync(file, { force: true });
  const { status } = spawnSync(process.execPath, ["-C", "@unroll/source", join(import.meta.dirname, script), ...args, "--rows", file], { stdio: ["ignore", 2, 2] });
  return { rows: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [], code: status ?? 1 };
}

function install() {
  writeFileSync(join(scratch, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], { cwd: scratch, stdio: ["ignore", 2, 2] });
}
