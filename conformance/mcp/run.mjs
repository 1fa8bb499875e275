// The public conformance suite of the protocol against our client: see README.md.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { openRows } from "../rows.mjs";

const suite = "@modelcontextprotocol/conformance";
/** By the name of its folder: the newest one, and the last release, which has the scenarios of older revisions. */
const suites = [
  { name: "mcp-suite", version: "0.2.0-alpha.12", revisions: ["2025-11-25", "2026-07-28"] },
  { name: "mcp-suite-of-release", version: "0.1.16", revisions: [null] },
];
const { folder: given, part, rows } = parseArguments("node conformance/mcp/run.mjs [--rows FILE] [DIR|-] [PART]", {
  words: { folder: text, part: text },
  options: { rows: text },
});
const counted = openRows();
const only = part ?? "";
const isInstalled = given !== null && given !== "-";
const folder = isInstalled ? resolve(given) : install();
const client = `${process.execPath} --conditions=@unroll/source ${join(import.meta.dirname, "client.mjs")}`;
let [missed, found] = [0, 0];
try {
  for (const { name, version, revisions } of suites) {
    const home = dirname(createRequire(join(folder, "package.json")).resolve(`${name}/package.json`));
    for (const revision of revisions) await runAll({ home, version, revision, title: revision ?? "all but extensions" });
  }
} finally {
  if (!isInstalled) rmSync(folder, { recursive: true });
}
if (found === 0) console.error(`No scenario has ${only} in its name.`);
counted.write(rows);
process.exitCode = missed === 0 && found > 0 ? 0 : 1;

async function runAll({ home, version, revision, title }) {
  const names = revision === null ? listReleased(home) : readRequired(home, revision);
  let good = 0;
  const wanted = names.filter((name) => name.includes(only));
  for (const scenario of wanted) {
    const result = await run(home, scenario, revision);
    good += result.ok ? 1 : 0;
    counted.note({ frontEnd: "MCP client", client: `${suite}, ${title}`, version, isCompared: false }, scenario, result.ok ? [] : [null]);
    console.log(`${result.ok ? "ok    " : "MISSED"} ${title} ${scenario.padEnd(40)} ${result.said}`);
  }
  found += wanted.length;
  missed += wanted.length - good;
  console.log(`${title}: ${good} of ${wanted.length} scenarios\n`);
}

/** The scenarios that a client must pass for a revision, as the suite has frozen them. */
function readRequired(home, revision) {
  const text = readFileSync(join(home, "requirements", `${revision}.yaml`), "utf8");
  const [, list = ""] = /^client:\n((?:[ \t#].*\n|\n)*)/m.exec(text) ?? [];
  return Array.from(list.matchAll(/^ +- ([^\s:]+)\s*$/gm), ([, name]) => name);
}

/** The scenarios of the protocol itself. */
function listReleased(home) {
  const list = execFileSync(process.execPath, [join(home, "dist/index.js"), "list", "--client"], { encoding: "utf8" });
  return Array.from(list.matchAll(/^ +- (\S+) \[(?!extension\])/gm), ([, name]) => name);
}

/**
 * One at a time: processes that start side by side take longer. The duration does not matter for conformance: it has a
 * bound only for a scenario that hangs.
 */
async function run(home, scenario, revision) {
  const of = revision === null ? [] : ["--spec-version", revision];
  const args = [join(home, "dist/index.js"), "client", "--command", client, "--scenario", scenario, ...of, "--timeout", "180000"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise((settle) => child.on("close", settle));
  const said = [...output.matchAll(/^Passed: .*$|^ {2}- .*$/gm)].map(([line]) => line.trim()).join(" ");
  return { ok: code === 0 && !output.includes("OVERALL: FAILED"), said };
}

function install() {
  const created = mkdtempSync(join(tmpdir(), "unroll-mcp-suite-"));
  writeFileSync(join(created, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...suites.map(({ name, version }) => `${name}@npm:${suite}@${version}`)], { cwd: created, stdio: "inherit" });
  return created;
}
