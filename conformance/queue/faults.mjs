// Tasks in a queue while workers are killed, blocked and given another time, and servers are restarted: every task has to end
// once, no call may run twice, and nothing may stay locked. Needs redis-server and postgresql.
//   node -C @unroll/source conformance/queue/faults.mjs [tasks] [workers] [seed]      exits with 1 where a promise broke
import { fork } from "node:child_process";
import { once } from "node:events";
import { randomUUIDv7 } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openTaskQueue } from "../../packages/queue/src/index.ts";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";
import { serverKinds, startPostgres, startRedis } from "../../packages/scripted-model/test/fixture/servers.ts";
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
  setTimer: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

async function runFaults(kind, { tasks, workers, seed }) {
  const random = createChance(seed);
  const folder = mkdtempSync(join(tmpdir(), "unroll-faults-"));
  const runs = join(folder, "runs");
  mkdirSync(runs);
  const model = await startScriptedModel({ respond: answer, allowViolations: true });
  const database = await startPostgres();
  const queueServer = kind === "redis" ? await startRedis() : database;
  const place = { url: queueServer.url, name: "faults" };
  const options = { queue: place, store: database.url, model: model.url, home: folder, lockMs, concurrency: 4 };
  const counts = { kills: 0, blocks: 0, jumps: 0, restarts: 0, returned: 0 };
  const living = new Set();
  /** Workers that have begun a task: the others are still loading. */
  const working = new Set();
  let isOver = false;

  function answer({ body, input }) {
    const text = JSON.stringify(input);
    const id = /Task (\w+)/.exec(text)?.[1];
    if (text.includes("function_call_output")) return { items: [{ text: `Done ${id}` }] };
    const cmd = `echo x >> ${runs}/${id}; sleep 0.${1 + random.below(5)}`;
    return { items: [{ call: "exec_command", arguments: { cmd, login: false } }], delayMs: random.below(200) };
  }
  function start() {
    const child = fork(program, [JSON.stringify(options)], { execArgv: ["-C", "@unroll/source"], stdio: "inherit" });
    living.add(child);
    child.on("message", ({ type }) => {
      if (type === "task.started") working.add(child);
      counts.returned += type === "task.returned" ? 1 : 0;
    });
    child.on("exit", () => {
      living.delete(child);
      working.delete(child);
      if (!isOver) start();
    });
  }

  const queue = await openTaskQueue(place);
  const ids = Array.from({ length: tasks }, (_, index) => `t${index}`);
  await queue.add(ids.map((id) => ({ id, prompt: `Task ${id}` })), { newId: () => randomUUIDv7() });
  await queue[Symbol.asyncDispose]();
  const since = performance.now();
  for (let count = 0; count < workers; count += 1) start();

  async function status() {
    const looked = await openTaskQueue(place).catch(() => null); // the server is being restarted
    if (looked === null) return null;
    try {
      return await looked.status();
    } finally {
      await looked[Symbol.asyncDispose]();
    }
  }
  let last = null;
  for (let round = 1; performance.now() - since < longestMs; ) {
    await wait(400 + random.below(400));
    last = (await status()) ?? last;
    if (last !== null && last.completed + last.failed === tasks) break;
    const victim = [...working][random.below(working.size)];
    if (victim === undefined) continue;
    round += 1;
    if (round === 12 || round === 30) {
      await (round === 12 ? queueServer : database).restart();
      counts.restarts += 1;
    } else if (round % 9 === 0) {
      victim?.kill("SIGUSR2");
      counts.blocks += 1;
    } else if (round === 5) {
      victim?.kill("SIGHUP");
      counts.jumps += 1;
    } else if (round % 2 === 0) {
      victim?.kill("SIGKILL");
      counts.kills += 1;
    }
  }
  const seconds = (performance.now() - since) / 1000;
  isOver = true;
  const ends = [...living].map((child) => once(child, "exit"));
  for (const child of living) child.kill("SIGTERM");
  await Promise.all(ends);

  const broken = [];
  const after = await openTaskQueue(place);
  const store = await openPostgresStore({ url: database.url, clock, holder: "look" });
  const results = new Map();
  for await (const task of after.list(["completed", "failed", "active", "waiting", "delayed"])) {
    if (results.has(task.id)) broken.push(`${task.id} is there twice`);
    results.set(task.id, task);
  }
  for (const id of ids) {
    const task = results.get(id);
    if (task?.state !== "completed") broken.push(`${id} is ${task?.state ?? "gone"}: ${task?.result?.error?.message ?? ""}`);
    const file = join(runs, id);
    const ran = existsSync(file) ? readFileSync(file, "utf8").length / 2 : 0;
    if (ran > 1) broken.push(`the call of ${id} ran ${ran} times`);
    if (task?.state !== "completed") continue;
    const { entries } = await store.load(task.threadId);
    const ended = entries.filter((entry) => entry.type === "turn.ended" && entry.outcome.type === "completed").length;
    if (ended !== 1) broken.push(`${id} has ${ended} completed turns`);
    const resumed = await store.resume(task.threadId).catch((error) => error);
    if (resumed instanceof Error) broken.push(`the thread of ${id} stays locked: ${resumed.message}`);
    else await resumed.journal[Symbol.asyncDispose]();
  }
  await store[Symbol.asyncDispose]();
  await after[Symbol.asyncDispose]();
  for (const server of new Set([queueServer, database])) await server[Symbol.asyncDispose]();
  await model.close().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
  return { kind, seconds: Number(seconds.toFixed(1)), ...counts, broken };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = { tasks: wholeFrom(1), workers: wholeFrom(1), seed: wholeFrom(0) };
  const given = parseArguments("node -C @unroll/source conformance/queue/faults.mjs [tasks] [workers] [seed]", { words });
  const { tasks, workers, seed } = { tasks: given.tasks ?? 200, workers: given.workers ?? 8, seed: given.seed ?? 1 };
  let code = 0;
  for (const kind of ["redis", "postgres"]) {
    const missing = serverKinds.postgres ?? (kind === "redis" ? serverKinds.redis : null);
    if (missing !== null) {
      console.log(`skipped: ${kind}: ${missing}`);
      continue;
    }
    const { broken, ...figures } = await runFaults(kind, { tasks, workers, seed });
    console.log(JSON.stringify(figures));
    for (const sentence of broken.slice(0, 20)) console.log(`BROKEN: ${sentence}`);
    if (broken.length > 0) code = 1;
  }
  process.exitCode = code;
}
