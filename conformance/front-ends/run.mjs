// Lets public programs around coding agents loose on unroll, which they take for codex: see README.md.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { acpClients } from "./acp-clients.mjs";
import { acpxClients } from "./acpx.mjs";
import { aiSdkClients } from "./ai-sdk.mjs";
import { bridgeClient } from "./bridge.mjs";
import { execClients } from "./exec-clients.mjs";
import { mcpClients } from "./mcp.mjs";
import { clientPackages } from "./packages.mjs";
import { promptfooClient } from "./promptfoo.mjs";
import { openWorld } from "./world.mjs";
import { openRows } from "../rows.mjs";
import { nameFault } from "./client-differences.mjs";

const usage = "node -C @unroll/source conformance/front-ends/run.mjs [--all] [--reference CODEX] [--rows FILE] [DIR] [WORDS]";
const {
  all: isAll,
  folder: given,
  part,
  reference,
  rows,
} = parseArguments(usage, { words: { folder: text, part: text }, options: { reference: text, rows: text }, flags: ["all"] });
const only = part ?? "";
const names = [...(isAll ? ["promptfoo"] : []), ...clientPackages];
const folder = given === null ? install() : resolve(given);
globalThis.AI_SDK_LOG_WARNINGS = false;
const readManifest = (name) => JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
/** `part`: a file that the package exports by a pattern. */
const load = (name, part = null) => {
  const { exports, main } = readManifest(name);
  if (part !== null) return import(pathToFileURL(join(folder, "node_modules", name, exports["./*"].import.replace("*", part))).href);
  const own = exports?.["."] ?? main;
  const entry = own?.import?.default ?? own?.import ?? own?.default ?? own;
  return import(pathToFileURL(join(folder, "node_modules", name, entry)).href);
};
const place = (name, ...parts) => join(folder, "node_modules", name, ...parts);
const bin = (name, command = name) => {
  const { bin: found } = readManifest(name);
  return place(name, typeof found === "string" ? found : found[command]);
};

const isInstalled = (name) => existsSync(join(folder, "node_modules", name));
let failures = 0;
const counted = openRows();
try {
  for (const { name, label: how = "", frontEnd, cases } of [...execClients, ...aiSdkClients, bridgeClient, ...acpxClients, ...acpClients, ...mcpClients, promptfooClient]) {
    if (!isInstalled(name)) continue;
    for (const [what, { turns, run }] of Object.entries(cases)) {
      if (!`${name} ${how} ${what}`.includes(only)) continue;
      const fault = await findFault(turns, run, null);
      // only these front ends are in both programs
      const isCompared = reference !== null && ["app-server", "exec"].includes(frontEnd);
      const theirs = isCompared ? await findFault(turns, run, resolve(reference)) : null;
      const difference = theirs === null ? null : nameFault({ name, what, fault: theirs });
      const isBroken = fault !== null || (theirs !== null && difference === null);
      if (isBroken) failures += 1;
      const about = { frontEnd, client: how === "" ? name : `${name}, ${how}`, version: readManifest(name).version, isCompared };
      counted.note(about, what, isBroken ? [null] : theirs === null ? [] : [difference]);
      const label = `${name} ${readManifest(name).version}`.padEnd(42);
      console.log(`${fault === null ? "ok    " : "FAILED"} ${label} ${how === "" ? "" : `${how}: `}${what}${fault === null ? "" : `: ${fault}`}`);
      if (theirs !== null) console.log(`       with the Codex CLI: ${theirs} (${difference ?? "not named"})`);
    }
  }
} finally {
  if (given === null) rmSync(folder, { recursive: true });
}
counted.write(rows);
process.exit(failures === 0 ? 0 : 1);

/** The failure of one case; null: it passed. `program`: the Codex CLI; null: unroll. */
async function findFault(turns, run, program) {
  const world = await openWorld(turns, { reference: program });
  const said = await attempt(() => run({ load, bin, place, world }));
  const fault = said ?? (world.model.requests.length === 0 ? "nothing reached the model" : null);
  await world.close();
  return fault;
}

/** The failure; null: none. */
async function attempt(run) {
  const late = new Promise((done) => setTimeout(done, 120_000, "it took more than two minutes").unref());
  try {
    return (await Promise.race([run(), late])) ?? null;
  } catch (error) {
    return String(error).split("\n")[0];
  }
}

function install() {
  const created = mkdtempSync(join(tmpdir(), "unroll-front-ends-clients-"));
  writeFileSync(join(created, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...names], { cwd: created, stdio: "inherit" });
  return created;
}
