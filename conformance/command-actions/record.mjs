// Records what an app-server says that commands do, for the scripts of recorded.jsonl. The scripted model calls them, and none of them runs: the shell's
// profile exits. What is named stays.
//
//   node -C @unroll/source conformance/command-actions/record.mjs CODEX
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { openWorld, says } from "../front-ends/exec-world.mjs";

const { program } = parseArguments("node -C @unroll/source conformance/command-actions/record.mjs CODEX", { words: { program: text } });
const file = resolve(import.meta.dirname, "recorded.jsonl");
const cases = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));

let asked = 0;
const world = await openWorld([answer]);
// a login shell reads it first
writeFileSync(join(world.env.HOME, ".bash_profile"), "exit 0\n");
const found = await runServer();
await world.close();
const missed = cases.filter((_, index) => !found.has(index)).map(({ script }) => script);
if (missed.length > 0) throw new Error(`no item came of ${missed.length} scripts, as of ${missed[0]}`);
writeFileSync(file, `${cases.map(({ named, ours, script }, index) => JSON.stringify({ script, codex: found.get(index), named, ours })).join("\n")}\n`);
console.log(`${cases.length} scripts are recorded.`);

/** The next scripts, each called under the number that it has among the cases. */
function answer(request) {
  const items = cases.slice(asked, asked + 10).flatMap(({ script }, index) => {
    const [call] = says.command(script)(request).items;
    return [{ ...call, call_id: `case_${asked + index}` }];
  });
  asked += 10;
  return items.length > 0 ? { items } : says.text("Done.");
}

async function runServer() {
  const child = spawn(resolve(program), ["app-server"], { cwd: world.work, env: world.env, stdio: ["pipe", "pipe", "ignore"] });
  const send = (id, method, params) => void child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  const actions = new Map();
  send(1, "initialize", { clientInfo: { name: "record", title: null, version: "1" } });
  send(2, "thread/start", { cwd: world.work, approvalPolicy: "never", sandbox: "danger-full-access" });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, method, result, params } = JSON.parse(world.normalize(line));
    if (id === 2) send(3, "turn/start", { threadId: JSON.parse(line).result.thread.id, input: [{ type: "text", text: "Go." }] });
    if (result === undefined && method === "item/started" && params.item.type === "commandExecution")
      actions.set(Number(/\d+$/.exec(params.item.id)?.[0]), params.item.commandActions.map(toRow));
    if (method === "turn/completed") child.stdin.end();
  }
  return actions;
}

function toRow({ type, command, name, path, query }) {
  const place = typeof path === "string" ? path.replace(/^<folder>\/work(?=\/|$)/, "/work").replace(/^<folder>/, "") : path;
  if (type === "read") return [type, command, name, place];
  if (type === "search") return [type, command, query, place];
  return type === "listFiles" ? [type, command, place] : [type, command];
}
