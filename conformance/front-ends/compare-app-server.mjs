// One session over app-server, on the Codex CLI and on unroll: which messages came, in which order, with which members and values; prints what differs. The Codex CLI
// is installed from the npm registry into a temporary folder and is not a dependency; unroll runs from its sources.
//
//   node -C @unroll/source conformance/front-ends/compare-app-server.mjs        # a table; exit 1 if a difference has no name
//   node -C @unroll/source conformance/front-ends/compare-app-server.mjs CODEX  # with this program
//   … --older CODEX  # against this older one: if ours agrees with the newest, the difference counts as one of versions
//
// A difference that stays is named in app-server-differences.mjs, by a row of "Differences from the Codex CLI" in docs/app-server.md.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { isOwnMember, isOwnNotification, listUndocumented, nameMember, nameMessage, nameValue, ofVersions } from "./app-server-differences.mjs";
import { answer, runSession } from "./app-server-session.mjs";
import { openWorld } from "./exec-world.mjs";
import { openRows } from "../rows.mjs";

const usage = "node -C @unroll/source conformance/front-ends/compare-app-server.mjs [CODEX] [--older CODEX] [--rows FILE]";
const { program: given, older, rows } = parseArguments(usage, { words: { program: text }, options: { older: text, rows: text } });
const folder = given === null ? install() : null;
const newest = [given === null ? join(folder, "node_modules/.bin/codex") : resolve(given)];
const programs = {
  reference: older === null ? newest : [resolve(older)],
  ours: [process.execPath, "-C", "@unroll/source", resolve(import.meta.dirname, "unroll.mjs")],
};
/** Messages and members that only the reference has, as two rows of the page say: each is reported once. */
const own = { messages: new Set(), members: new Set() };
/** Where ours and the newest Codex CLI differ, if the reference is an older one. */
let today = null;
/** By part of the session and by message, the names of what differs. */
const found = { "a session: order of messages": new Map(), "a session: members and values": new Map() };
const count = { parts: 0, same: 0, named: 0, unnamed: 0 };

try {
  console.log(`The reference is ${readVersion(programs.reference)}${older === null ? "" : `, the newest ${readVersion(newest)}`}.`);
  const [reference, ours] = [await record(programs.reference), await record(programs.ours)];
  if (older !== null) today = listAll(await record(newest), ours);
  for (const line of Object.values(reference).flatMap(toLines)) if (isOwnNotification(line)) own.messages.add(line);
  for (const part of Object.keys(reference)) found["a session: order of messages"].set(part, []);
  for (const head of listMembers(ours).keys()) found["a session: members and values"].set(head, []);
  console.log("\n## Messages in their order\n\n| part: message | reference | ours | named |\n|---|---|---|---|");
  for (const part of Object.keys(reference)) reportOrder(part, ours[part], compareOrder(reference[part], ours[part]));
  console.log("\n## Members\n\n| message: member | reference | ours | named |\n|---|---|---|---|");
  for (const difference of compareMembers(reference, ours)) reportMember(difference);
  console.log("\n## Values\n\n| message: member | only in the reference | only in ours | named |\n|---|---|---|---|");
  for (const difference of compareValues(reference, ours)) reportValue(difference);
  const counted = openRows();
  const version = readVersion(programs.reference).split(" ").at(-1); // the session is of this version of the protocol
  for (const [client, cases] of Object.entries(found))
    for (const [what, names] of cases) counted.note({ frontEnd: "app-server", client, version, isCompared: true }, what, names);
  counted.write(rows);
} finally {
  if (folder !== null) rmSync(folder, { recursive: true });
}
console.log(`\nIts own services: ${[...own.messages].join(", ")}\nIts own members: ${[...own.members].join(", ")}`);
console.log(`\n${count.same} of ${count.parts} parts have the same messages in the same order; ${count.named} differences are named, ${count.unnamed} are not.`);
const undocumented = listUndocumented(readFileSync(resolve(import.meta.dirname, "../../docs/app-server.md"), "utf8"));
if (undocumented.length > 0) console.log(`docs/app-server.md has no row for: ${undocumented.join(", ")}`);
process.exit(count.unnamed + undocumented.length === 0 ? 0 : 1);

function readVersion([program]) {
  return execFileSync(program, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** All differences of two programs, by their keys. */
function listAll(reference, ours) {
  const ofOrder = Object.keys(reference).flatMap((part) => compareOrder(reference[part], ours[part]).map((difference) => ({ ...difference, head: part })));
  return new Set([...ofOrder, ...compareMembers(reference, ours), ...compareValues(reference, ours)].map(toKey));
}

function toKey({ head, side, line, path }) {
  return JSON.stringify([head, side, line, path]);
}

/** The messages of one program in each part of the session. */
async function record(command) {
  const world = await openWorld([answer], { isOurs: command === programs.ours });
  try {
    return JSON.parse(world.normalize(JSON.stringify(await runSession(command, world))));
  } finally {
    await world.close();
  }
}

/** One line a message: which it is, of which item, with which state. Pieces of a text that come one behind the other count once. */
function toLines(messages) {
  const lines = messages.map(toLine);
  const whole = lines.filter((line, at) => !line.endsWith("elta") || line !== lines[at - 1]);
  // a changed setting is reported at any time around the request's answer
  const changed = whole.findIndex((line, at) => line === "thread/settings/updated" && whole[at + 1] === "= turn/start");
  return changed < 0 ? whole : whole.with(changed, "= turn/start").with(changed + 1, "thread/settings/updated");
}

function toLine({ id, method, params, answers, error }) {
  if (method === undefined) return error === undefined ? `= ${answers}` : `= ${answers}: error ${error.code}`;
  const { item, status, turn } = params ?? {};
  const state = item?.status ?? turn?.status ?? (typeof status === "object" ? [status?.type, ...(status?.activeFlags ?? [])].join(" ") : "");
  const told = [method, item?.type ?? "", state].filter((text) => text !== "" && text !== undefined).join(" ");
  return id === undefined ? told : `? #${id} ${told}`;
}

/** Each line that one of them has where the other has it not. */
function compareOrder(reference, ours) {
  const shared = toLines(reference).filter((line) => !isOwnNotification(line));
  return subtractInOrder(shared, toLines(ours));
}

function reportOrder(part, messages, differences) {
  count.parts += 1;
  if (differences.length === 0) {
    count.same += 1;
    console.log(`| ${part} | ${messages.length} messages | same | |`);
  }
  for (const { line, side } of differences) {
    const isMoved = differences.some((other) => other.line === line && other.side !== side);
    const cell = isMoved ? "elsewhere" : "not there";
    const cells = side === "reference" ? ["here", cell] : [cell, "here"];
    report({ head: part, line, side }, cells, nameMessage({ part, line, side }));
  }
}

/** The lines that are not part of what both have in the same order. */
function subtractInOrder(left, right) {
  const lengths = [...left, ""].map(() => [...right, ""].map(() => 0));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i][j] = left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const found = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) [i, j] = [i + 1, j + 1];
    else if (j >= right.length || (i < left.length && lengths[i + 1][j] >= lengths[i][j + 1])) found.push({ line: left[i++], side: "reference" });
    else found.push({ line: right[j++], side: "ours" });
  }
  return found;
}

/** By message, the paths of all members that it ever had, each with all its values. */
function listMembers(parts) {
  const found = new Map();
  for (const { method, answers, params, result, error } of Object.values(parts).flat()) {
    if (error !== undefined) continue;
    const head = method ?? `= ${answers}`;
    if (!found.has(head)) found.set(head, new Map());
    collect(params ?? result, "", found.get(head));
  }
  return found;
}

function collect(value, path, found) {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) return value.forEach((each) => collectEntry(each, `${path}[]`, found));
  const kind = typeof value.type === "string" ? `<${value.type}>` : "";
  for (const [name, member] of Object.entries(value)) {
    const own = `${path}${kind}.${name}`;
    if (!found.has(own)) found.set(own, new Set());
    found.get(own).add(typeof member === "object" && member !== null ? "{}" : toStable(name, member));
    collect(member, own, found);
  }
}

function collectEntry(value, path, found) {
  if (typeof value === "object") return collect(value, path, found);
  if (!found.has(path)) found.set(path, new Set());
  found.get(path).add(JSON.stringify(value));
}

/** Ids, times and numbers of processes differ from run to run. */
function toStable(name, value) {
  if (value !== null && /(?:^id|Id)$/.test(name)) return "<id>";
  if (typeof value === "number" && /(?:At|Ms)$/.test(name)) return "<time>";
  return JSON.stringify(value);
}

/** The values of members that both have, where one has some that the other never has. */
function compareValues(reference, ours) {
  const [left, right] = [listMembers(reference), listMembers(ours)];
  return [...left].flatMap(([head, members]) =>
    [...members].flatMap(([path, values]) => {
      const others = right.get(head)?.get(path);
      if (others === undefined) return [];
      const [only, own] = [[...values.difference(others)], [...others.difference(values)]];
      return only.length + own.length === 0 ? [] : [{ head, side: "values", path, only, own }];
    }),
  );
}

function reportValue({ head, side, path, only, own: ofOurs }) {
  if (isOwnMember(path)) return;
  report({ head, side, path }, [only.join(", "), ofOurs.join(", ")], nameValue({ head, path }));
}

/**
 * Compares messages that both have, and lists each member that only one of them has. Parts of such a member are not
 * listed again.
 */
function compareMembers(reference, ours) {
  const [left, right] = [listMembers(reference), listMembers(ours)];
  return [...left].flatMap(([head, members]) => {
    const others = right.get(head);
    if (others === undefined) return [];
    return [...subtractMembers(head, "reference", [members, others]), ...subtractMembers(head, "ours", [others, members])];
  });
}

function subtractMembers(head, side, [from, to]) {
  const only = [...from.keys()].filter((path) => !to.has(path));
  const isInner = (path, outer) => path !== outer && /^[.[<]/.test(path.slice(outer.length)) && path.startsWith(outer);
  return only.filter((path) => !only.some((outer) => isInner(path, outer))).map((path) => ({ head, side, path, value: [...from.get(path)][0] }));
}

function reportMember({ head, side, path, value }) {
  if (side === "reference" && isOwnMember(path)) {
    own.members.add(path.slice(path.lastIndexOf(".") + 1));
    return;
  }
  const cells = side === "reference" ? [value, ""] : ["", value];
  report({ head, side, path }, cells, nameMember({ head, path, side }));
}

function report(difference, [reference, ours], ofRow) {
  const { head, line, path = "" } = difference;
  const name = ofRow ?? (today === null || today.has(toKey(difference)) ? null : ofVersions);
  count[name === null ? "unnamed" : "named"] += 1;
  found[line === undefined ? "a session: members and values" : "a session: order of messages"].get(head)?.push(name);
  console.log(`| ${[`${head}: ${line ?? path.replace(/^\./, "")}`, reference, ours].map(toCell).join(" | ")} | ${name ?? "**not named**"} |`);
}

function toCell(text) {
  const shown = text.replaceAll("|", "\\|").replaceAll("\n", "\\n");
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
}

function install() {
  const created = mkdtempSync(join(tmpdir(), "unroll-compare-codex-"));
  writeFileSync(join(created, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "@openai/codex@latest"], { cwd: created, stdio: "inherit" });
  return created;
}
