// Sends threads back and forth between the Codex CLI and unroll: each leg resumes the same thread in another program, says
// something and has a command run. Each request must have all earlier messages and commands, once and in their order, and the
// Codex CLI must show the messages of unroll's legs. unroll runs from its sources; the Codex CLI is given.
//
//   node -C @unroll/source conformance/threads/round-trip.mjs CODEX          # e.g. 0.169; exit 1 where a leg fails or lost something
//   node -C @unroll/source conformance/threads/round-trip.mjs CODEX OTHER    # and an older one, 0.92: each alone, then mixed
import { execFile, execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { readShown } from "./read-shown.mjs";
import { openWorld } from "../front-ends/exec-world.mjs";

const usage = "node -C @unroll/source conformance/threads/round-trip.mjs CODEX [OTHER]";
const { codex, other } = parseArguments(usage, { words: { codex: text, other: text } });
if (codex === null) throw new Error(`usage: ${usage}`);
const flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
const unroll = { name: "unroll", command: [process.execPath, "-C", "@unroll/source", resolve(import.meta.dirname, "../front-ends/unroll.mjs")] };
const codexes = [codex, ...(other === null ? [] : [other])].map(toProgram);
let failures = 0;

for (const program of codexes) {
  await report(alternate(program, unroll));
  await report(alternate(unroll, program));
}
if (codexes.length === 2) {
  const [a, b] = codexes;
  for (const [first, second] of [[a, b], [b, a]]) {
    // a thread that these two cannot hand to each other goes by unroll in between
    const isDirect = (await travel([first, second, first])).fault === null;
    const between = isDirect ? [] : [unroll];
    if (!isDirect) console.log(`       ${first.name} cannot resume its own thread after ${second.name}: unroll goes between them`);
    await report([first, ...between, second, unroll, first, ...between, second, unroll, first]);
    await report([unroll, first, second, unroll, second, first, unroll, first]);
  }
}
process.exit(failures === 0 ? 0 : 1);

/** Four legs each. */
function alternate(first, second) {
  return Array.from({ length: 4 }, () => [first, second]).flat();
}

async function report(legs) {
  const { fault } = await travel(legs);
  if (fault !== null) failures += 1;
  console.log(`${fault === null ? "ok    " : "FAILED"} ${legs.map(({ name }) => name).join(" → ")}${fault === null ? "" : `: ${fault}`}`);
}

/** `fault`: what went wrong first; null: nothing. */
async function travel(legs) {
  const world = await openWorld([answer]);
  try {
    const thread = { id: null, sent: null };
    for (const [index, program] of legs.entries()) {
      const fault = await runLeg({ world, thread, program, number: index + 1 });
      if (fault !== null) return { fault: `leg ${index + 1} (${program.name}): ${fault}` };
    }
    return { fault: await findNotShown(legs, thread, world) };
  } finally {
    await world.close();
  }
}

async function runLeg({ world, thread, program, number }) {
  const from = world.model.requests.length;
  const resume = thread.id === null ? [] : ["resume", thread.id];
  const { failed, output } = await run(program, ["exec", ...flags, ...resume, `message-${number}`], world);
  if (failed) return `it failed: ${output.slice(-400)}`;
  thread.id ??= /session id: ([\w-]+)/.exec(output)?.[1] ?? null;
  const requests = world.model.requests.slice(from).map(({ input }) => input);
  if (requests.length !== 2) return `${requests.length} requests and not 2`;
  const before = Array.from({ length: number - 1 }, (_, index) => marksOf(index + 1)).flat();
  const [first, second] = [[...before, `message-${number}`], [...before, `message-${number}`, `output-${number}`]];
  for (const [index, expected] of [first, second].entries()) {
    const found = listMarks(requests[index]);
    if (found.join() !== expected.join()) return `its request holds ${found.join(", ")}`;
  }
  return program === unroll ? comparePrefix(thread, requests) : null;
}

/** The items that unroll sent in an earlier leg must be the beginning of its request. */
function comparePrefix(thread, requests) {
  for (const input of requests) {
    const sent = thread.sent ?? [];
    const differs = sent.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(input[index]));
    if (differs !== -1) return `item ${differs} is not what was sent before`;
    thread.sent = input;
  }
  return null;
}

/**
 * The program that started the thread shows the legs of unroll; of a thread of unroll, each does. Commands are shown where lines have
 * ordinals: in other files, Codex CLI 0.169 shows none of its own, either.
 */
async function findNotShown(legs, thread, { env, work }) {
  const readers = legs[0] === unroll ? new Set(legs).difference(new Set([unroll])) : [legs[0]];
  const [rollout] = globSync(`sessions/**/*${thread.id}.jsonl`, { cwd: env.CODEX_HOME });
  const hasOrdinals = readFileSync(join(env.CODEX_HOME, rollout), "utf8").split("\n", 1)[0].includes('"ordinal":0,');
  for (const program of readers) {
    const shown = await readShown(program.command, thread.id, { env, cwd: work });
    for (const [index, leg] of legs.entries()) {
      const missing = [`message-${index + 1}`, `answer-${index + 1}`, ...(hasOrdinals ? [`output-${index + 1}`] : [])].filter((mark) => !shown.includes(mark));
      if (leg === unroll && missing.length > 0) return `${program.name} does not show ${missing.join(" and ")}`;
    }
  }
  return null;
}

function marksOf(number) {
  return [`message-${number}`, `output-${number}`, `answer-${number}`];
}

function listMarks(input) {
  return [...JSON.stringify(input).matchAll(/(?:message|output|answer)-\d+/g)].map(([mark]) => mark);
}

/** First a command, then, with its output, an answer. */
function answer({ body }) {
  const [number] = [...JSON.stringify(body.input).matchAll(/message-(\d+)/g)].at(-1)?.slice(1) ?? [];
  if (JSON.stringify(body.input).includes(`output-${number}`)) return { items: [{ text: `answer-${number}` }] };
  return { items: [{ reasoning: "A command." }, callFor(body.tools, `printf 'output-%s' ${number}`)] };
}

/** By the name and the arguments of the tool that is offered. */
function callFor(tools, command) {
  const { name } = tools.find(({ name }) => ["exec_command", "shell_command", "shell"].includes(name));
  if (name === "exec_command") return { call: name, arguments: { cmd: command } };
  return { call: name, arguments: { command: name === "shell" ? ["bash", "-c", command] : command } };
}

function run({ command: [file, ...before] }, given, { env, work }) {
  return new Promise((done) => {
    const child = execFile(file, [...before, ...given], { env, cwd: work, timeout: 60_000 }, (error, stdout, stderr) =>
      done({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
    child.stdin.end();
  });
}

function toProgram(given) {
  const path = resolve(given);
  return { name: execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(), command: [path] };
}
