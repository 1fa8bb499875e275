// Runs `unroll exec` with its threads on a tmpfs of some hundred KiB that fills up, makes room, and resumes: each run
// has to end by itself, no command may run twice, none may be unknown unless the run reported that it could not be
// saved, and every request has to repeat the one before. As root on Linux; elsewhere it says why it cannot.
//   node -C @unroll/source fill-disk.mjs [rounds] [seed]      after npm run build; exits with 1 where a promise broke
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { createChance } from "../../simulation/src/create-chance.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { toConfig } from "./to-config.mjs";

const unroll = fileURLToPath(new URL("../../bin/unroll", import.meta.url));
/** A bound for what hangs, on a busy machine too. */
const longestMs = 600_000;
const tmpfsKiB = 768;
const callsOfRun = 4;

/** `skipped`: why there is none, else null; `broken`: a sentence for each promise that broke. */
export async function fillDisk({ rounds, random }) {
  const base = mkdtempSync(join(tmpdir(), "unroll-fill-disk-"));
  const [home, work] = [join(base, "home"), join(base, "work")];
  const codex = join(home, ".codex");
  mkdirSync(codex, { recursive: true });
  mkdirSync(work);
  const none = { broken: [], runs: 0, full: 0, ran: 0 };
  const mounted = mount(codex);
  if (mounted !== null) {
    rmSync(base, { recursive: true, force: true });
    return { ...none, skipped: mounted };
  }
  const model = await startScriptedModel({ allowViolations: true, respond: createAnswers() });
  try {
    return { ...(await runRounds({ rounds, random, home, work, codex, model })), skipped: null };
  } finally {
    await model.close();
    spawnSync("umount", [codex]);
    rmSync(base, { recursive: true, force: true });
  }
}

async function runRounds({ rounds, random, home, work, codex, model }) {
  const ran = join(work, "ran");
  const filler = join(codex, "filler");
  writeFileSync(ran, "");
  writeFileSync(join(codex, "config.toml"), toConfig(model.url));
  const broken = [];
  const unsaved = new Set();
  let full = 0;
  for (let round = 0; round < rounds; round++) {
    if (round % 8 === 0) rmSync(join(codex, "sessions"), { recursive: true, force: true });
    const knownBefore = round % 8 === 0 ? new Set() : listKnown(codex);
    const isCalm = round % 2 === 0;
    if (isCalm) rmSync(filler, { force: true });
    else fill(filler, codex, Math.floor(random() * 16) * 4096);
    const before = readRan(ran).length;
    const { code, text } = await runOnce({ home, work, isNew: knownBefore.size === 0 });
    if (code === null) broken.push(`A run did not end in ${longestMs} ms: ${text.slice(-300)}`);
    if (code >= 128) broken.push(`A run died of a signal (${code}): ${text.slice(-300)}`);
    if (/This is a bug/.test(text)) broken.push(`A run says that it is a bug: ${text.slice(-300)}`);
    const isTold = /cannot be saved|no space|ENOSPC/i.test(text);
    if (isTold) full += 1;
    if (isCalm && code !== 0) broken.push(`There is room again, but a run ends with ${code}: ${text.slice(-300)}`);
    const fresh = readRan(ran).slice(before);
    if (isTold) for (const command of fresh) unsaved.add(command);
    rmSync(filler, { force: true });
    const known = listKnown(codex);
    for (const command of fresh)
      if (!known.has(command) && !unsaved.has(command)) broken.push(`No thread knows, and nobody said so: ${command}.`);
    for (const command of knownBefore) if (!known.has(command)) broken.push(`It is lost what was written down: ${command}.`);
  }
  const all = readRan(ran);
  if (new Set(all).size !== all.length) broken.push("A command ran twice.");
  broken.push(...model.violations.map(({ message }) => message));
  return { broken, runs: rounds, full, ran: all.length };
}

/** Null: it is mounted. */
function mount(folder) {
  if (process.platform !== "linux" || process.getuid() !== 0) return "only root on Linux can mount a tmpfs";
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${tmpfsKiB}k,mode=700`, "tmpfs", folder], { encoding: "utf8" });
  return status === 0 ? null : `a tmpfs cannot be mounted: ${String(stderr).trim()}`;
}

/** Some calls with much output, then a word. */
function createAnswers() {
  let count = 0;
  return () => {
    count += 1;
    if (count % (callsOfRun + 1) === 0) return { items: [{ text: `Done ${count}.` }] };
    const command = `echo ${count} >> ran; head -c 6000 /dev/zero | tr '\\0' x`;
    return { items: [{ call: "exec_command", arguments: { cmd: command, login: false } }] };
  };
}

/** All room but so many bytes. */
function fill(file, folder, room) {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, new Uint8Array(Math.max(0, bavail * bsize - room)));
}

async function runOnce({ home, work, isNew }) {
  const flags = ["exec", "--skip-git-repo-check", "-s", "danger-full-access"];
  const args = isNew ? [...flags, "Go"] : [...flags, "resume", "--last", "Go on"];
  const child = spawn(unroll, args, { cwd: work, env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (piece) => (text += piece));
  const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  return { code: signal === "SIGKILL" ? null : signal === null ? code : 128, text };
}

const readRan = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean);
const listFiles = (codex) => globSync(join(codex, "sessions/*/*/*/*.jsonl"));

/** The numbers of the commands that are written down. */
function listKnown(codex) {
  const texts = listFiles(codex).map((file) => readFileSync(file, "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(/echo (\d+) >> ran/g)].map(([, number]) => number)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = parseArguments("node -C @unroll/source fill-disk.mjs [rounds] [seed]", { words: { rounds: wholeFrom(1), seed: wholeFrom(0) } });
  const [rounds, seed] = [given.rounds ?? 32, given.seed ?? 1];
  const chance = createChance(seed);
  const { skipped, broken, runs, full, ran } = await fillDisk({ rounds, random: () => chance.next() });
  for (const sentence of broken) console.log(sentence);
  if (skipped !== null) console.log(`skipped: ${skipped}`);
  else console.log(`${runs} runs on a tmpfs of ${tmpfsKiB} KiB (seed ${seed}), ${full} told that it was full, ${ran} commands ran, ${broken.length} broken promises`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
