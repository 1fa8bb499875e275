// Lets hostile commands loose in the sandbox, one after the other, while a process outside shuffles the workspace, and looks
// after each whether anything outside changed, is left running, or ran.
//   node -C @unroll/source attack.mjs [COMMANDS] [SEED]   prints the seed; what failed with the steps that led there; exit 1 then
import { execFile } from "node:child_process";
import { createHash, randomInt, randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { scrubInheritedFds } from "../../packages/process-tree/src/index.ts";
import { createCommandRunner, probeSandbox, resolveSandboxPolicy } from "../../packages/sandbox/src/index.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { createStep } from "./attack-steps.mjs";
import { shuffle } from "./shuffle-workspace.mjs";

const secret = "SECRET-7f3a";
/** Worlds get cluttered: after so many commands there is a new one. */
const commandsInWorld = 12;
/** A hostile command ends itself before; one that hangs is a fault of its own. */
const timeoutMs = 3_000;

/** `seed` decides which commands are tried, on every machine the same; how they meet what is done outside, it does not. Ends at the first failure. */
export async function attack({ commands, seed }) {
  const chance = createChance(seed);
  const totals = { seed, worlds: 0, commands: 0, steps: 0, shuffles: 0, endings: {}, failure: null };
  while (totals.commands < commands && totals.failure === null) {
    totals.worlds += 1;
    const world = await createWorld(chance.pick(["apart", "home inside", "home above"]));
    try {
      await attackWorld(world, { commands, chance, totals });
    } finally {
      await world.close();
    }
  }
  return totals;
}

async function attackWorld(world, { commands, chance, totals }) {
  const history = [];
  while (history.length < commandsInWorld && totals.commands < commands && totals.failure === null) {
    const steps = Array.from({ length: 2 + Math.floor(chance.random() * 8) }, () => createStep(chance.pick));
    history.push(steps);
    const { ending, shuffles, faults } = await runRound(world, { steps, chance, outside: createChance(totals.seed + 1 + totals.commands) });
    totals.commands += 1;
    totals.endings[ending] = (totals.endings[ending] ?? 0) + 1;
    totals.steps += steps.length;
    totals.shuffles += shuffles.length;
    if (faults.length > 0) totals.failure = { layout: world.layout, faults, shuffles, history };
  }
}

/** `outside`: chance of its own, for what is done outside takes as much of it as the machine gives time. */
async function runRound(world, { steps, chance, outside }) {
  const stop = new AbortController();
  const shuffling = shuffle(world, { ...outside, signal: stop.signal });
  // Give its background processes some time.
  const script = `${steps.join("\n")}\nsleep 0.${1 + Math.floor(chance.random() * 3)}`;
  const spec = { argv: ["bash", "-c", script], cwd: world.workspace, timeoutMs, maxOutputBytes: 100_000, confinement: "policy" };
  const run = world.runner.run(spec, new AbortController().signal);
  let next = await run.next();
  while (next.done !== true) next = await run.next();
  stop.abort();
  const shuffles = await shuffling;
  const outcome = next.value;
  // A workspace that cannot be protected is refused, which is as well; a fault is a command that ended in no way we know.
  const known = ["exited", "timed_out", "refused", "not_started"];
  const strange = known.includes(outcome.type) ? [] : [`the command ended as ${outcome.type}`];
  return { ending: outcome.type, shuffles, faults: [...(await world.findFaults()), ...strange] };
}

/** `home inside`: the home folder, with all that is the harness's, lies in the workspace. `home above`: the other way round, all in one more root. */
async function createWorld(layout) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "unroll-attack-")));
  const home = layout === "home inside" ? join(base, "work/home") : join(base, "home");
  const workspace = layout === "home above" ? join(home, "work") : join(base, "work");
  const place = { base, layout, home, workspace, outside: join(base, "outside"), codexHome: join(home, ".codex") };
  const world = { ...place, state: join(base, "state"), temporary: join(base, "temporary"), trace: join(base, "trace"), id: randomUUID() };
  await fill(world);
  const environment = toEnvironment(world);
  const servers = await Promise.all([join(world.outside, "socket"), `\0${world.id}`].map((path) => listen(path, world)));
  const runner = await createRunner(world, environment);
  const before = describe(world);
  return {
    ...world,
    runner,
    findFaults: async () => [...compare(before, describe(world)), ...findLeaks(world), ...findProcesses(world.id), ...(await useGit(world, environment))],
    async close() {
      await runner[Symbol.asyncDispose]();
      for (const server of servers) server.close();
      await onHost("chmod -R u+rwX . ; true", { cwd: base, environment });
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function fill({ base, home, layout, codexHome, outside, workspace, temporary, trace }) {
  for (const folder of [outside, workspace, temporary, codexHome]) mkdirSync(folder, { recursive: true });
  const script = `
cd ${outside}; mkdir deep; echo a > a; echo b > deep/b; ln -s a link; mkfifo pipe
cd ${home}; mkdir -p .agents/skills .codex/{rules,skills/x,tokens,threads}; echo alias > .bashrc
cd .codex; echo 'model = "x"' > config.toml; echo ${secret} | tee auth.json > tokens/t; echo s > skills/x/SKILL.md; echo t > threads/t; echo r > rules/default.rules
cd ${workspace}; git init -q -b main; mkdir a b lib; echo 1 > a/1; echo 2 > lib/2; git add a lib; git -c user.name=n -c user.email=e commit -qm x
printf '#!/bin/sh\\n{ pwd; env | grep GIT_; p=$$; while [ $p -gt 1 ]; do ps -o args= $p; p=$(ps -o ppid= $p); done; } >> ${trace}\\n' > evil; chmod +x evil`;
  // With all of the repository read-only, what its configuration names lies outside of it.
  const named = layout === "home above" ? "\ngit config core.hooksPath named; git config include.path ../team" : "";
  await onHost(script + named, { cwd: base, environment: { PATH: process.env.PATH ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" } });
}

function toEnvironment({ home, codexHome, outside, workspace, temporary, state, id }) {
  return {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    HOME: home,
    TMPDIR: temporary,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "n",
    GIT_AUTHOR_EMAIL: "e",
    GIT_COMMITTER_NAME: "n",
    GIT_COMMITTER_EMAIL: "e",
    UNROLL_ATTACK: id,
    W: workspace,
    O: outside,
    H: home,
    C: codexHome,
    S: state,
    T: temporary,
    EVIL: join(workspace, "evil"),
  };
}

async function createRunner({ layout, home, codexHome, workspace, temporary, state }, environment) {
  const settings = {
    mode: "workspace-write",
    networkAccess: false,
    writableRoots: layout === "home above" ? [home] : [],
    excludeSlashTmp: true,
    excludeTmpdirEnvVar: false,
    git: layout === "home above" ? "protected" : "writable",
    denyRead: [join(codexHome, "auth.json"), join(codexHome, "tokens")],
    allowWeaker: false,
    limits: { maxProcesses: 4096, maxMemoryMb: null, maxTotalMemoryMb: "most" },
  };
  const place = { cwd: workspace, temporaryFolder: temporary, homeDirectory: home, codexHome, stateFolder: state, ownFolders: [] };
  const { policy } = resolveSandboxPolicy(settings, place);
  const backend = await probeSandbox({ policy, cwd: workspace, stateFolder: state, environment, createId: randomUUID });
  if (backend.type !== "bubblewrap") throw new Error(`no sandbox to attack: ${backend.reason ?? backend.type}`);
  return createCommandRunner({ policy, environment, sandbox: { backend, stateFolder: state }, elapsed: () => performance.now(), createId: randomUUID });
}

/** Every connection leaves a trace. */
async function listen(path, { trace }) {
  const server = createServer((connection) => {
    writeFileSync(trace, `connected to ${path}`);
    connection.destroy();
  });
  await new Promise((resolve) => server.listen(path, resolve));
  return server.unref();
}

/** All that must stay as it is: what it is, its modes, times and content. */
function describe({ layout, home, codexHome, outside }) {
  const agents = [join(home, ".agents"), join(home, ".codex")];
  const folders = layout === "apart" ? [outside, home] : [outside, codexHome, ...agents];
  return new Map(folders.flatMap((folder) => list(folder)));
}

function list(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [[path, "missing"]];
  const kind = `${(stats.mode).toString(8)} ${stats.uid} ${stats.nlink}`;
  if (stats.isSymbolicLink()) return [[path, `${kind} -> ${readlinkSync(path)}`]];
  if (stats.isDirectory()) return [[path, kind], ...readdirSync(path).flatMap((name) => list(join(path, name)))];
  const content = stats.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
  // The process outside replaces the secret file by an equal one.
  return [[path, path.endsWith("auth.json") ? content : `${kind} ${stats.mtimeMs} ${content}`]];
}

function compare(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).map((path) => `${path}: ${before.get(path)} became ${after.get(path)}`);
}

/** The secret in what commands can write. */
function findLeaks({ workspace, temporary, codexHome }) {
  const find = (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || path === codexHome) return [];
    if (stats.isDirectory()) {
      try {
        return readdirSync(path).flatMap((name) => find(join(path, name)));
      } catch {
        return [];
      }
    }
    try {
      return stats.isFile() && stats.size < 100_000 && readFileSync(path, "latin1").includes(secret) ? [`${path} holds the secret`] : [];
    } catch {
      return [];
    }
  };
  return [workspace, temporary].flatMap(find);
}

/** By the variable that all of them were given, unless they emptied their environment: those have no other parent. */
function findProcesses(id) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`UNROLL_ATTACK=${id}`);
      } catch {
        return false;
      }
    })
    .map((pid) => `process ${pid} is left`);
}

/**
 * As a person would, later, in every folder that looks like a repository. A git that waits for a pipe is ended. Nothing of the
 * harness's home is added: what lies in a repository, commands may read.
 */
async function useGit({ workspace, trace }, environment) {
  chmodSync(workspace, 0o755);
  const script = `
chmod -R u+rwX . 2>&-
find . -name .git -o -name HEAD -not -path './.git/*' 2>&- | head -20 | while read -r path; do
  (cd "$(dirname "$path")" && { timeout 2 git status; timeout 2 git diff; timeout 2 git log -1; timeout 2 git add -A -- ':(top,exclude,glob)**/.codex/**'; }) </dev/null >/dev/null 2>&1
done; timeout 2 git status >/dev/null 2>&1; true`;
  const { UNROLL_ATTACK: _, ...rest } = environment;
  await onHost(script, { cwd: workspace, environment: rest });
  const ran = lstatSync(trace, { throwIfNoEntry: false });
  return ran === undefined ? [] : [`something ran, or was reached, outside: ${readFileSync(trace, "utf8")}`];
}

/** With a socket for stdin, bash takes itself for a remote login and would read `.bashrc`, which a command may write in a home inside the workspace. */
async function onHost(script, { cwd, environment }) {
  const running = promisify(execFile)("bash", ["--norc", "-c", script], { cwd, env: environment, maxBuffer: 1 << 26 });
  running.child.stdin?.end();
  await running;
}

function createChance(seed) {
  const random = createRandom(seed);
  return { random, pick: (list) => list[Math.floor(random() * list.length)] };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  scrubInheritedFds([]);
  const given = parseArguments("node -C @unroll/source attack.mjs [commands] [seed]", { words: { commands: wholeFrom(1), seed: wholeFrom(0) } });
  const seed = given.seed ?? randomInt(2 ** 32);
  console.log(`seed ${seed}`);
  const { failure, ...totals } = await attack({ commands: given.commands ?? 40, seed });
  console.log(JSON.stringify(totals));
  if (failure !== null) console.log(JSON.stringify(failure, null, 2));
  process.exitCode = failure === null ? 0 : 1;
}
