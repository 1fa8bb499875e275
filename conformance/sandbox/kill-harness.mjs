// Kills a harness at random points of a command's life and looks for what is left of the command.
//   node -C @unroll/source kill-harness.mjs [rounds] [seed]      prints what survived, exits with 1 if anything did
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createChance } from "../../simulation/src/create-chance.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";

const confine = fileURLToPath(new URL("confine.mjs", import.meta.url));
const modes = ["danger-full-access", "workspace-write", "read-only"];

/** Returns how many rounds left something running. */
export async function killHarness({ rounds, random, sideBySide }) {
  const base = mkdtempSync(join(tmpdir(), "unroll-kill-"));
  let survived = 0;
  let next = 0;
  try {
    const work = async () => {
      while (next < rounds) {
        const round = next++;
        if (await survives({ base, mode: modes[round % modes.length], afterMs: 60 + random() * 400 })) survived += 1;
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, work));
  } finally {
    // The next harness removes the placeholders of those that were killed.
    await once(startHarness({ base, mode: "workspace-write", script: "true" }), "exit");
    rmSync(base, { recursive: true, force: true });
  }
  return survived;
}

async function survives({ base, mode, afterMs }) {
  const word = randomUUID();
  const loop = `bash -c 'while :; do sleep 0.02; done' ${word}`;
  const script = `setsid ${loop} & (setsid ${loop} >/dev/null 2>&1 &); for i in 1 2 3; do ${loop} & sleep 0.01; done; ${loop}`;
  const harness = startHarness({ base, mode, script });
  const exited = once(harness, "exit");
  await delay(afterMs);
  harness.kill("SIGKILL");
  await exited;
  for (let waited = 0; waited < 3_000; waited += 20) {
    if (findProcesses(word).length === 0) return false;
    await delay(20);
  }
  for (const pid of findProcesses(word)) process.kill(pid, "SIGKILL");
  return true;
}

function startHarness({ base, mode, script }) {
  const setting = { policy: mode, network: false, cwd: base, writableRoots: [], tmpdir: base };
  const args = ["--conditions=@unroll/source", confine, JSON.stringify(setting), "--", "bash", "-c", script];
  return spawn(process.execPath, args, { stdio: "ignore", env: { ...process.env, HOME: homedir() } });
}

function findProcesses(word) {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      return false;
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = parseArguments("node -C @unroll/source kill-harness.mjs [rounds] [seed]", { words: { rounds: wholeFrom(1), seed: wholeFrom(0) } });
  const rounds = given.rounds ?? 200;
  const chance = createChance(given.seed ?? Math.floor(Date.now() / 1000));
  const survived = await killHarness({ rounds, random: () => chance.next(), sideBySide: 4 });
  console.log(`${rounds} harnesses killed, ${survived} left something running`);
  process.exitCode = survived === 0 ? 0 : 1;
}
