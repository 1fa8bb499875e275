// Kills `unroll exec` with SIGKILL while it writes a thread, at random sizes of the file, and resumes the thread each
// time: no command may have run twice, none that ran may be unknown, and every request has to repeat the one before.
//   node -C @unroll/source kill-writer.mjs [rounds] [seed]      after npm run build; exits with 1 where a promise broke
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { createChance } from "../../simulation/src/create-chance.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { toConfig } from "./to-config.mjs";

const unroll = fileURLToPath(new URL("../../bin/unroll", import.meta.url));
const roundsOfThread = 25;
const longestMs = 20_000;

/** Returns a sentence for each promise that broke, and how many kills left a line without its end. */
export async function killWriter({ rounds, random }) {
  const base = mkdtempSync(join(tmpdir(), "unroll-kill-writer-"));
  const [home, work] = [join(base, "home"), join(base, "work")];
  const ran = join(work, "ran");
  let count = 0;
  const model = await startScriptedModel({
    allowViolations: true,
    respond: () => ({
      items: [{ call: "exec_command", arguments: { cmd: `echo ${count++} >> ran`, login: false } }],
    }),
  });
  let torn = 0;
  try {
    mkdirSync(join(home, ".codex"), { recursive: true });
    mkdirSync(work);
    writeFileSync(ran, "");
    writeFileSync(join(home, ".codex/config.toml"), toConfig(model.url));
    for (let round = 0; round < rounds; round++) {
      const isNew = round % roundsOfThread === 0;
      const path = await killOne({ home, work, isNew, more: drawMore(random, isNew) });
      if (path !== null && readFileSync(path).at(-1) !== 0x0a) torn += 1;
    }
    const broken = model.violations.map(({ message }) => message);
    const commands = readFileSync(ran, "utf8").split("\n").filter(Boolean);
    if (new Set(commands).size !== commands.length) broken.push("A command ran twice.");
    const known = new Set(listFiles(home).flatMap(readCommands));
    for (const file of listFiles(home))
      if (!readFileSync(file, "utf8").includes('"turn.started"')) broken.push(`A thread is there in part: ${file}.`);
    const unknown = commands.filter((command) => !known.has(`echo ${command} >> ran`));
    if (unknown.length > 0) broken.push(`Commands ran that no thread knows: ${unknown.join(", ")}.`);
    return { broken, torn, ran: commands.length, requests: model.requests.length };
  } finally {
    await model.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** In bytes. Every second new thread is killed as soon as anything of it is seen. */
function drawMore(random, isNew) {
  return isNew && random() < 0.5 ? 0 : Math.floor(random() * 12_000);
}

function readCommands(file) {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const calls = lines.map((line) => JSON.parse(line).payload).filter(({ type }) => type === "function_call");
  return calls.map((call) => JSON.parse(call.arguments).cmd);
}

/** Kills it when the file has so many bytes more; null where it had not begun one. */
async function killOne({ home, work, isNew, more }) {
  const flags = ["exec", "--skip-git-repo-check", "-s", "danger-full-access"];
  const args = isNew ? [...flags, "Go"] : [...flags, "resume", "--last", "Go on"];
  const before = isNew ? null : findLast(home);
  const least = (before === null ? 0 : statSync(before).size) + more;
  const known = new Set(listBegun(home));
  const child = spawn(unroll, args, { cwd: work, env: { PATH: process.env.PATH, HOME: home }, stdio: "ignore" });
  const exited = once(child, "exit");
  let path = before;
  for (const end = performance.now() + longestMs; child.exitCode === null && performance.now() < end;) {
    path ??= listBegun(home).find((file) => !known.has(file)) ?? null;
    if (path !== null && sizeOf(path) >= least) break;
    await delay(1);
  }
  child.kill("SIGKILL");
  await exited;
  return path !== null && existsSync(path) ? path : null;
}

function findLast(home) {
  return listFiles(home).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null;
}

/** With those whose first write is not done, by the names that they will have. */
function listBegun(home) {
  return globSync(join(home, ".codex/sessions/*/*/*/*.{jsonl,part}")).map((file) => file.replace(/\.part$/, ""));
}

function sizeOf(file) {
  return (statSync(file, { throwIfNoEntry: false }) ?? statSync(`${file}.part`, { throwIfNoEntry: false }))?.size ?? 0;
}

function listFiles(home) {
  return globSync(join(home, ".codex/sessions/*/*/*/*.jsonl"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = parseArguments("node -C @unroll/source kill-writer.mjs [rounds] [seed]", { words: { rounds: wholeFrom(1), seed: wholeFrom(0) } });
  const [rounds, seed] = [given.rounds ?? 500, given.seed ?? 1];
  const chance = createChance(seed);
  const { broken, torn, ran, requests } = await killWriter({ rounds, random: () => chance.next() });
  for (const sentence of broken) console.log(sentence);
  console.log(`${rounds} kills (seed ${seed}): ${ran} commands ran, ${requests} requests, ${torn} torn lines, ${broken.length} broken promises`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
