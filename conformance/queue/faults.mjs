// Tasks in a queue while workers are killed, blocked for longer than their lock and given another time, and both servers are
// restarted: every task has to end once, no call may run twice, and nothing may stay locked. Needs redis-server and postgresql.
//   npm run queue-faults -- [tasks] [workers] [seed]      (200, 8 and 1) exits with 1 where a promise broke
// However it ends, by kill -9 too, its servers and workers end and its folders go.
// @boundaries-ignore it belongs to no package
import { fork } from "node:child_process";
import { once } from "node:events";
import { randomUUIDv7 } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openTaskQueue } from "../../packages/queue/src/index.ts";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { openKeptFolder, serverKinds, startPostgres, startRedis } from "../../packages/scripted-model/test/fixture/servers.ts";
import { openPostgresStore } from "../../packages/store-postgres/src/index.ts";
import { createChance } from "../../simulation/src/create-chance.ts";
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";

const program = fileURLToPath(new URL("fault-worker.mjs", import.meta.url));
const lockMs = 5000;
/** A bound for what hangs. */
const longestMs = 600_000;
const clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  setTimer(ms, run) {
    const timer = setTimeout(() => run(), ms);
    return () => clearTimeout(timer);
  },
};

/**
 * `kind`: of the queue's server; threads are in PostgreSQL. Returns figures, and a sentence for each broken promise; null if `signal` ended
 * it before.
 */
export async function runQueueFaults(kind, { tasks, workers, seed, signal = new AbortController().signal }) {
  const chance = createChance(seed);
  await using closing = new AsyncDisposableStack();
  const kept = closing.use(await openKeptFolder("unroll-faults-"));
  const folder = kept.path;
  const runs = join(folder, "runs");
  mkdirSync(runs);
  const model = await startScriptedModel({ respond: (request) => answer(request, { runs, chance }), allowViolations: true });
  closing.defer(() => model.close().catch(() => {}));
  const database = closing.use(await startPostgres());
  const queueServer = kind === "redis" ? closing.use(await startRedis()) : database;
  const place = { url: queueServer.url, name: "faults" };
  const ids = Array.from({ length: tasks }, (_, index) => `t${index}`);
  await withQueue(place, (queue) =>
    queue.add(
      ids.map((id) => ({ id, prompt: `Task ${id}` })),
      { newId: () => randomUUIDv7() },
    ),
  );
  const options = { queue: place, store: database.url, model: model.url, home: folder, lockMs, againMs: lockMs / 6, concurrency: 4 };
  const crew = hire(workers, options, kept);
  const since = performance.now();
  const counts = await disturb(crew, { place, tasks, workers, chance, signal, servers: [queueServer, database] });
  const seconds = Number(((performance.now() - since) / 1000).toFixed(1));
  await crew.dismiss();
  if (signal.aborted) return null;
  const broken = [...crew.crashes, ...(await check(ids, { place, store: database.url, runs }))];
  return { kind, tasks, workers, seconds, ...counts, broken };
}

/** Each task runs one command, which leaves a mark. */
function answer({ input }, { runs, chance }) {
  const text = JSON.stringify(input);
  const id = /Task (\w+)/.exec(text)?.[1];
  if (text.includes("function_call_output")) return { items: [{ text: `Done ${id}` }] };
  const cmd = `echo x >> ${runs}/${id}; sleep 0.${1 + chance.below(5)}`;
  return { items: [{ call: "exec_command", arguments: { cmd, login: false } }], delayMs: chance.below(200) };
}

/** Worker processes: one that ends is replaced. */
function hire(count, options, kept) {
  const living = new Set();
  const crashes = [];
  /** Workers that have begun a task: the others are still loading. */
  const working = new Set();
  let isOver = false;
  function start() {
    const child = fork(program, [JSON.stringify(options)], { execArgv: ["-C", "@unroll/source"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    living.add(child);
    kept.watch(living);
    child.on("message", ({ crash }) => (crash === undefined ? working.add(child) : crashes.push(`a worker crashed: ${crash}`)));
    child.on("exit", () => {
      living.delete(child);
      kept.watch(living);
      working.delete(child);
      if (!isOver) start();
    });
  }
  for (let started = 0; started < count; started += 1) start();
  return {
    working,
    crashes,
    async dismiss() {
      isOver = true;
      const ends = [...living].map((child) => once(child, "exit"));
      for (const child of living) child.kill("SIGTERM");
      await Promise.all(ends);
    },
  };
}

/** Until all tasks have ended. */
async function disturb({ working }, { place, tasks, workers, chance, signal, servers }) {
  const counts = { kills: 0, blocks: 0, jumps: 0, restarts: 0 };
  const since = performance.now();
  while (performance.now() - since < longestMs && !signal.aborted) {
    await wait(200 + chance.below(400), undefined, { signal }).catch(() => {});
    const status = await withQueue(place, (queue) => queue.status()).catch(() => null); // the server is away
    const ended = status === null ? 0 : status.completed + status.failed;
    if (ended === tasks) return counts;
    if (counts.restarts < 2 && ended > (tasks * (counts.restarts + 1)) / 4) {
      await servers[counts.restarts].restart();
      counts.restarts += 1;
    }
    // A busy machine starts workers slowly: with faults at the same pace, no task would live long enough to end.
    if (working.size * 2 < workers) continue;
    const victim = [...working][chance.below(working.size)];
    const [sent, count] = chance.pick(["SIGKILL", "kills"], ["SIGKILL", "kills"], ["SIGUSR2", "blocks"], ["SIGHUP", "jumps"], [null, null]);
    if (victim === undefined || sent === null) continue;
    victim.kill(sent);
    counts[count] += 1;
  }
  return counts;
}

async function withQueue(place, work) {
  const queue = await openTaskQueue(place);
  try {
    return await work(queue);
  } finally {
    await queue[Symbol.asyncDispose]();
  }
}

async function check(ids, { place, store: url, runs }) {
  const broken = [];
  const found = new Map();
  await withQueue(place, async (queue) => {
    for await (const task of queue.list(["completed", "failed", "active", "waiting", "delayed"])) {
      if (found.has(task.id)) broken.push(`${task.id} is there twice`);
      found.set(task.id, task);
    }
  });
  const store = await openPostgresStore({ url, clock, holder: "look" });
  for (const id of ids) {
    const task = found.get(id);
    const file = join(runs, id);
    const ran = existsSync(file) ? readFileSync(file, "utf8").length / 2 : 0;
    if (ran > 1) broken.push(`the call of ${id} ran ${ran} times`);
    if (task?.state === "completed") broken.push(...(await checkThread(task, store)));
    else broken.push(`${id} is ${task?.state ?? "gone"}: ${task?.result?.error?.message ?? ""}`);
  }
  await store[Symbol.asyncDispose]();
  return broken;
}

async function checkThread({ id, threadId }, store) {
  const { entries } = await store.load(threadId);
  const ended = entries.filter((entry) => entry.type === "turn.ended" && entry.outcome.type === "completed").length;
  const faults = ended === 1 ? [] : [`${id} has ${ended} completed turns`];
  try {
    const { journal } = await store.resume(threadId);
    await journal[Symbol.asyncDispose]();
    return faults;
  } catch (error) {
    return [...faults, `the thread of ${id} stays locked: ${error.message}`];
  }
}

/** Why the faults cannot be tried with this kind of queue; null: they can. */
export function findMissing(kind) {
  return serverKinds.postgres ?? (kind === "redis" ? serverKinds.redis : null);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = { tasks: wholeFrom(1), workers: wholeFrom(1), seed: wholeFrom(0) };
  const given = parseArguments("npm run queue-faults -- [tasks] [workers] [seed]", { words });
  const { tasks, workers, seed } = { tasks: given.tasks ?? 200, workers: given.workers ?? 8, seed: given.seed ?? 1 };
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop.abort());
  for (const kind of ["redis", "postgres"]) {
    if (stop.signal.aborted) break;
    const missing = findMissing(kind);
    if (missing !== null) {
      console.log(`skipped: ${kind}: ${missing}`);
      continue;
    }
    const found = await runQueueFaults(kind, { tasks, workers, seed, signal: stop.signal });
    if (found === null) break;
    const { broken, ...figures } = found;
    console.log(JSON.stringify({ ...figures, broken: broken.length }));
    for (const sentence of broken.slice(0, 20)) console.log(`BROKEN: ${sentence}`);
    if (broken.length > 0) process.exitCode = 1;
  }
  if (stop.signal.aborted) process.exitCode = 130;
}
