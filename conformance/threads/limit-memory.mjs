// Runs `unroll exec` under a ceiling of memory (a cgroup, version 1 or 2) while a command prints far more than that and the model
// says much: each run has to end well. As root on Linux; elsewhere it says why it cannot.
//   node -C @unroll/source limit-memory.mjs [rounds]      after npm run build; exits with 1 where a promise broke
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { toConfig } from "./to-config.mjs";

const unroll = fileURLToPath(new URL("../../bin/unroll", import.meta.url));
const ceilingMiB = 192;
const printedMiB = 400;
const saidCharacters = 1_000_000;
/** A run that hangs is ended then; a busy machine takes minutes where an idle one takes seconds. */
const longestMs = 600_000;

/** `skipped`: why there is none, else null; `peakMiB`: of all that ran below the ceiling. */
export async function limitMemory({ rounds }) {
  const group = openGroup();
  if (typeof group === "string") return { skipped: group, broken: [], runs: 0, peakMiB: 0 };
  const base = mkdtempSync(join(tmpdir(), "unroll-limit-memory-"));
  const model = await startScriptedModel({ allowViolations: true, respond: createAnswers() });
  const broken = [];
  try {
    mkdirSync(join(base, ".codex"));
    writeFileSync(join(base, ".codex/config.toml"), toConfig(model.url));
    for (let round = 0; round < rounds; round++) {
      const { code, end, text } = await runOnce(base, group);
      if (code !== 0) broken.push(`Below ${ceilingMiB} MiB a run ends by ${end}: ${text.slice(-300)}`);
    }
    broken.push(...model.violations.map(({ message }) => message));
    return { skipped: null, broken, runs: rounds, peakMiB: group.readPeakMiB() };
  } finally {
    await model.close();
    await group.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function createAnswers() {
  let count = 0;
  return () => {
    count += 1;
    if (count % 2 === 0) return { items: [{ text: "word ".repeat(saidCharacters / 5) }] };
    const command = `yes 0123456789abcdef | head -c ${printedMiB * 1024 * 1024}`;
    return { items: [{ call: "exec_command", arguments: { cmd: command, login: false, yield_time_ms: longestMs } }] };
  };
}

async function runOnce(base, group) {
  const args = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "Go"];
  const script = 'echo $$ > "$1"; shift; exec "$@"'; // the shell goes in, and becomes the program
  const child = spawn("sh", ["-c", script, "sh", group.processes, unroll, ...args], {
    cwd: base,
    env: { PATH: process.env.PATH, HOME: base },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (piece) => (text = (text + piece).slice(-4000)));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, longestMs);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  const end = signal === null ? `code ${code}` : isLate ? `being killed after ${longestMs} ms` : signal;
  return { code, end, text };
}

/** A control group with the ceiling, or why there is none. */
function openGroup() {
  if (process.platform !== "linux" || process.getuid() !== 0) return "only root on Linux can set a ceiling of memory";
  const isFirst = existsSync("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  const names = isFirst
    ? { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" }
    : { root: "/sys/fs/cgroup", limit: "memory.max", peak: "memory.peak" };
  const folder = join(names.root, `unroll-soak-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch (error) {
    return `no control group can be made: ${error.message}`;
  }
  try {
    writeFileSync(join(folder, names.limit), String(ceilingMiB * 1024 * 1024));
  } catch (error) {
    rmdirSync(folder);
    return `a control group takes no limit of memory: ${error.message}`;
  }
  return {
    processes: join(folder, "cgroup.procs"),
    readPeakMiB: () => Math.round(Number(readFileSync(join(folder, names.peak), "utf8")) / 1024 / 1024),
    async close() {
      for (let tries = 0; tries < 100 && readFileSync(join(folder, "cgroup.procs"), "utf8") !== ""; tries++) await delay(50);
      rmdirSync(folder);
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = parseArguments("node -C @unroll/source limit-memory.mjs [rounds]", { words: { rounds: wholeFrom(1) } });
  const rounds = given.rounds ?? 3;
  const { skipped, broken, runs, peakMiB } = await limitMemory({ rounds });
  for (const sentence of broken) console.log(sentence);
  if (skipped !== null) console.log(`skipped: ${skipped}`);
  else console.log(`${runs} runs below ${ceilingMiB} MiB that printed ${printedMiB} MiB each, at most ${peakMiB} MiB in use, ${broken.length} broken promises`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
