// Lets public clients of the Responses API loose on the demo model: see README.md.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { startDemoModel } from "../../packages/scripted-model/src/index.ts";
import { openRows } from "../rows.mjs";
import { clients } from "./clients.mjs";

const { folder: given, rows } = parseArguments("node -C @unroll/source conformance/clients/run.mjs [--rows FILE] [DIR]", {
  words: { folder: text },
  options: { rows: text },
});
const counted = openRows();
const folder = given === null ? install() : resolve(given);
const require = createRequire(join(folder, "package.json"));
const load = async (name) => await import(pathToFileURL(require.resolve(name)).href);
let failures = 0;
try {
  for (const { name, cases } of clients) {
    const { version } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
    for (const [what, run] of Object.entries(cases)) {
      // Each has its own server: a request that breaks a law is its own fault.
      const model = await startDemoModel();
      const said = await attempt(() => run({ load, baseURL: model.url }));
      const broken = model.violations.map(({ rule, message }) => `${rule}: ${message}`);
      await model.close();
      const fault = said.fault ?? broken[0] ?? null;
      if (fault !== null) failures += 1;
      counted.note({ frontEnd: "demo model", client: name, version, isCompared: false }, what, fault === null ? [] : [null]);
      console.log(`${fault === null ? "ok    " : "FAILED"} ${`${name} ${version}`.padEnd(28)} ${what}${fault === null ? "" : `: ${fault}`}`);
    }
  }
} finally {
  if (given === null) rmSync(folder, { recursive: true });
}
counted.write(rows);
process.exitCode = failures === 0 ? 0 : 1;

async function attempt(run) {
  try {
    const fault = await run();
    return { fault: fault ?? null };
  } catch (error) {
    return { fault: String(error).split("\n")[0] };
  }
}

function install() {
  const created = mkdtempSync(join(tmpdir(), "unroll-clients-"));
  writeFileSync(join(created, "package.json"), "{}");
  const names = ["openai", "ai", "@ai-sdk/openai", "@langchain/openai", "@langchain/core", "@openai/agents", "zod"];
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...names], { cwd: created, stdio: "inherit" });
  return created;
}
