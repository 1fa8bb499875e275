// The public conformance suite of the protocol against our client: see README.md.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { openRows } from "../rows.mjs";

const suite = "@modelcontextprotocol/conformance";
const version = "0.2.0-alpha.12";
const { folder: given, part, rows } = parseArguments("node conformance/mcp/run.mjs [--rows FILE] [DIR|-] [PART]", {
  words: { folder: text, part: text },
  options: { rows: text },
});
const counted = openRows();
const only = part ?? "";
const isInstalled = given !== null && given !== "-";
const folder = isInstalled ? resolve(given) : install();
const home = dirname(createRequire(join(folder, "package.json")).resolve(`${suite}/package.json`));
const client = `${process.execPath} --conditions=@unroll/source ${join(import.meta.dirname, "client.mjs")}`;
let [missed, found] = [0, 0];
try {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    const results = [];
    for (const scenario of readRequired(revision).filter((name) => name.includes(only))) {
      const result = await run(scenario, revision);
      results.push(result);
      found += 1;
      const about = { frontEnd: "MCP client", client: `${suite}, ${revision}`, version, isCompared: false };
      counted.note(about, scenario, result.ok ? [] : [null]);
      console.log(`${result.ok ? "ok    " : "MISSED"} ${revision} ${scenario.padEnd(40)} ${result.said}`);
    }
    const good = results.filter(({ ok }) => ok).length;
    missed += results.length - good;
    console.log(`${revision}: ${good} of ${results.length} scenarios\n`);
  }
} finally {
  if (!isInstalled) rmSync(folder, { recursive: true });
}
if (found === 0) console.error(`No scenario has ${only} in its name.`);
counted.write(rows);
process.exitCode = missed === 0 && found > 0 ? 0 : 1;

/** The scenarios that a client must pass, as the suite has frozen them. */
function readRequired(revision) {
  const text = readFileSync(join(home, "requirements", `${revision}.yaml`), "utf8");
  const [, list = ""] = /^client:\n((?:[ \t#].*\n|\n)*)/m.exec(text) ?? [];
  return Array.from(list.matchAll(/^ +- ([^\s:]+)\s*$/gm), ([, name]) => name);
}

/**
 * One at a time: processes that start side by side take longer. The duration does not matter for conformance: it has a
 * bound only for a scenario that hangs.
 */
async function run(scenario, revision) {
  const args = [join(home, "dist/index.js"), "client", "--command", client, "--scenario", scenario, "--spec-version", revision, "--timeout", "180000"];
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
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `${suite}@${version}`], { cwd: created, stdio: "inherit" });
  return created;
}
