// Public clients of `codex exec`, on the Codex CLI and on unroll, through the same scripted turns; prints what differs.
// Both CLI and clients are installed from the npm registry into a temporary folder; they are not dependencies. Build
// first (pnpm build), then:
//
//   node -C @unroll/source conformance/front-ends/compare-exec.mjs            # a table; exit 1 if a difference has no name
//   node -C @unroll/source conformance/front-ends/compare-exec.mjs DIR [NAME] # with DIR/node_modules, and only cases of this name
//   … --older CODEX  # against this older Codex CLI: if ours agrees with the newest, the difference counts as one of versions
//
//   … --codex CODEX  # with this Codex CLI; --rows FILE writes the counts for ../run.mjs
//
// A difference that stays is named in exec-differences.mjs, by a row of "Differences from the Codex CLI" in docs/exec.md.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { clients } from "./exec-cases.mjs";
import { listUndocumented, nameDifference, ofVersions } from "./exec-differences.mjs";
import { openWorld } from "./exec-world.mjs";
import { openRows } from "../rows.mjs";

const usage = "node -C @unroll/source conformance/front-ends/compare-exec.mjs [DIR] [NAME] [--codex CODEX] [--older CODEX] [--rows FILE]";
const { folder: given, part, codex, older, rows: rowsFile } = parseArguments(usage, {
  words: { folder: text, part: text },
  options: { codex: text, older: text, rows: text },
});
const only = part ?? "";
const names = ["@openai/codex@0.169", "@openai/codex-sdk", "ai", "ai-sdk-provider-codex-cli", "@openai/agents", "@openai/agents-extensions", "@modelcontextprotocol/client", "zod"];
const folder = given === null ? install() : resolve(given);
globalThis.AI_SDK_LOG_WARNINGS = false;
const newest = codex === null ? join(folder, "node_modules/.bin/codex") : resolve(codex);
const counted = openRows();
const programs = {
  reference: older === null ? newest : resolve(older),
  ...(older !== null && { newest }),
  ours: resolve(import.meta.dirname, "../../bin/unroll"),
};
/** Types that the clients do not know. No client breaks on them, so they are counted and not compared. */
const moreOfOurs = new Set();
const knownEvents = new Set(["thread.started", "turn.started", "turn.completed", "turn.failed"]);
const knownItems = new Set(["agent_message", "reasoning", "command_execution", "file_change", "mcp_tool_call", "web_search", "todo_list", "error"]);
const count = { same: 0, named: 0, unnamed: 0 };

try {
  for (const [side, program] of Object.entries(programs)) console.log(`${side}: ${readVersion(program)}`);
  for (const { name, cases } of clients) {
    if (!existsSync(join(folder, "node_modules", name, "package.json"))) continue; // promptfoo takes 2 GB: it runs where it is installed
    console.log(`\n## ${name} ${readManifest(name).version}\n\n| case: field | reference | ours | named |\n|---|---|---|---|`);
    for (const [what, { turns, run }] of Object.entries(cases)) {
      if (!`${name} ${what}`.includes(only)) continue;
      const about = { frontEnd: "exec", client: name, version: readManifest(name).version, isCompared: true };
      counted.note(about, what, compare(what, await runBoth(turns, run)));
    }
  }
} finally {
  if (given === null) rmSync(folder, { recursive: true });
}
console.log(`\nTypes of events and items that only ours has: ${[...moreOfOurs].toSorted((a, b) => a.localeCompare(b)).join(", ")}`);
console.log(`${count.same} cases are the same, ${count.named} differences are named, ${count.unnamed} are not.`);
counted.write(rowsFile);
const undocumented = listUndocumented(readFileSync(resolve(import.meta.dirname, "../../docs/exec.md"), "utf8"));
if (undocumented.length > 0) console.log(`docs/exec.md has no row for: ${undocumented.join(", ")}`);
process.exit(count.unnamed + undocumented.length === 0 ? 0 : 1);

async function runBoth(turns, run) {
  const lines = {};
  for (const [side, program] of Object.entries(programs)) {
    const world = await openWorld(turns, { isOurs: side === "ours" });
    const said = await attempt(() => run({ load, program, world }));
    lines[side] = said.map((line) => world.normalize(line)).filter((line) => !isMore(side, line));
    await world.close();
  }
  return lines;
}

/**
 * One row for each line that only one of them has; where they have the same lines in another order, one row that says so. Returns the names of
 * the rows.
 */
function compare(what, { reference, newest: today, ours }) {
  const rows = listRows(reference, ours);
  const rowsOfToday = today === undefined ? null : listRows(today, ours);
  if (rows.length === 0) {
    count.same += 1;
    const [thrown = "same"] = ours.filter((line) => line.startsWith("throws "));
    console.log(`| ${what} | ${toCell(thrown)} | same | |`);
  }
  return rows.map(({ at, reference: left, ours: right }) => {
    const named = nameDifference({ what, at, reference: left, ours: right }) ?? nameByToday(what, at, rowsOfToday);
    count[named === null ? "unnamed" : "named"] += 1;
    console.log(`| ${what}: ${at} | ${toCell(left)} | ${toCell(right)} | ${named ?? "**not named**"} |`);
    return named;
  });
}

/**
 * A difference from an older Codex CLI counts as one of versions if the newest does not have it; else it has the name of
 * the difference from the newest. Null: it has none, or no older one is here.
 */
function nameByToday(what, at, rowsOfToday) {
  if (rowsOfToday === null) return null;
  const row = rowsOfToday.find((each) => each.at === at);
  return row === undefined ? ofVersions : nameDifference({ what, ...row });
}

function listRows(reference, ours) {
  const [gone, more] = [subtract(reference, ours), subtract(ours, reference)];
  const rows = pairUp(gone, more).flatMap(([left, right]) => listFields(left, right));
  if (rows.length > 0 || reference.join("\n") === ours.join("\n")) return rows;
  return [{ at: "order", reference: reference.map(firstWords).join(" → "), ours: ours.map(firstWords).join(" → ") }];
}

/**
 * The differing fields of two lines that begin alike, each by its path; lines without a counterpart, and those without
 * fields, as a whole.
 */
function listFields(left, right) {
  const head = firstWords(left === "" ? right : left);
  const [fields, others] = [readFields(left), readFields(right)];
  if (fields === null || others === null) return [{ at: head, reference: left, ours: right }];
  const paths = [...new Set([...fields.keys(), ...others.keys()])].filter((path) => fields.get(path) !== others.get(path));
  return paths.map((path) => ({ at: `${head} ${path}`, reference: fields.get(path) ?? "", ours: others.get(path) ?? "" }));
}

/** The values of a line's JSON by their paths, `usage.input_tokens`; null: it holds no object. */
function readFields(line) {
  const at = line.indexOf("{");
  if (at < 0 || firstWords(line).includes("{")) return null;
  try {
    const parsed = JSON.parse(line.slice(at));
    return new Map(Object.entries(parsed).flatMap(([name, member]) => flatten(name, member)));
  } catch {
    return null;
  }
}

function flatten(path, value) {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  const members = Object.entries(value);
  if (members.length === 0) return [[path, JSON.stringify(value)]];
  return members.flatMap(([name, member]) => flatten(`${path}.${name}`, member));
}

/** Lines that begin alike stand side by side. */
function pairUp(lines, others) {
  const rest = [...others];
  const rows = lines.map((line) => {
    const at = rest.findIndex((other) => firstWords(other) === firstWords(line));
    return [line, at === -1 ? "" : rest.splice(at, 1)[0]];
  });
  return [...rows, ...rest.map((line) => ["", line])];
}

function subtract(lines, others) {
  const rest = [...others];
  return lines.filter((line) => {
    const at = rest.indexOf(line);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}

function isMore(side, line) {
  const [type = "", kind = ""] = line.split(" ");
  const ofItem = /^item\.\w+$/.test(type);
  const isKnown = ofItem ? knownItems.has(kind) : !/^(?:[a-z]+\.[a-z_]+|warning)$/.test(type) || knownEvents.has(type);
  if (!isKnown && side === "ours") moreOfOurs.add(ofItem ? `item ${kind}` : type);
  return !isKnown;
}

function firstWords(line) {
  return line.split(" ").slice(0, line.startsWith("item.") ? 2 : 1).join(" ");
}

function toCell(line) {
  const text = line.replaceAll("|", "\\|").replaceAll("\n", "\\n");
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

async function attempt(run) {
  let timer;
  const late = new Promise((done) => (timer = setTimeout(done, 60_000, ["it took more than a minute"])));
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return [`throws ${error.name}: ${error.message}`];
  } finally {
    clearTimeout(timer);
  }
}

function readVersion(program) {
  return execFileSync(program, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
}

async function load(specifier) {
  const [, name = specifier, path = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const { exports, main } = readManifest(name);
  const own = exports?.[`.${path}`] ?? main;
  const entry = own?.import?.default ?? own?.import ?? own?.default ?? own;
  return await import(pathToFileURL(join(folder, "node_modules", name, entry)).href);
}

function install() {
  const created = mkdtempSync(join(tmpdir(), "unroll-compare-clients-"));
  writeFileSync(join(created, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...names], { cwd: created, stdio: "inherit" });
  return created;
}
