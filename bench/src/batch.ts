import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { type CommandWorld, openCommandWorld } from "./command-world.ts";
import { measurePeakMemory, type ProcessCommand, runCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";

export const name = "batch";

const [many, few] = [500, 10]; // tasks at once
const lines = 10_000;
const jobs = 8;
const answerMs = 2_000; // a short answer of a fast model
const spreadMs = 2_000; // of the answers to many
const memoryTarget = 60; // MiB
const startTarget = 1_000; // ms
const speedTarget = 0.95; // of a bare fetch loop

/** Measures batches of one request a task: memory of many at once, the start of a long one, and the loop beside bare fetches. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const memory = await measureMemory(Math.min(rounds, 3));
  const start = await measureStart(Math.min(rounds, 5));
  const speed = await measureSpeed(Math.min(rounds, 5));
  return { name, rows: [...memory, start, ...speed] };
}

async function measureMemory(rounds: number): Promise<readonly BenchRow[]> {
  const batch: StartTasks = (world, tasks) => toBatch(world, tasks, tasks);
  const fetches: StartTasks = async (world, tasks) =>
    world.node("-e", fetchProgram, `${world.model.url}/responses`, String(tasks));
  const measured = await interleave(rounds, {
    at10: () => measurePeak(few, batch),
    at500: () => measurePeak(many, batch),
    slow10: () => measurePeak(few, batch, spreadMs),
    slow500: () => measurePeak(many, batch, spreadMs),
    fetch10: () => measurePeak(few, fetches),
    fetch500: () => measurePeak(many, fetches),
  });
  const [low, high] = [median(measured.at10), median(measured.at500)];
  const more = median(measured.fetch500) - median(measured.fetch10);
  const slower = median(measured.slow500) - median(measured.slow10);
  return [
    { label: `${many} bare fetches at once: peak memory over ${few}`, value: more, unit: "MiB" },
    { label: `${few} tasks at once: peak memory`, value: low, unit: "MiB" },
    {
      label: `${many} tasks at once: peak memory over that`,
      value: high - low,
      unit: "MiB",
      target: `<= ${memoryTarget} MiB`,
      ok: high - low <= memoryTarget,
    },
    {
      label: `the same, answered over ${spreadMs / 1000} s`,
      value: slower,
      unit: "MiB",
      target: `<= ${memoryTarget} MiB`,
      ok: slower <= memoryTarget,
    },
  ];
}

type StartTasks = (world: CommandWorld, tasks: number) => Promise<ProcessCommand>;

/** Requests as large as those of a task, the first one alone. */
const fetchProgram = `
  const [url, count] = process.argv.slice(1);
  const headers = { "content-type": "application/json", authorization: "Bearer none" };
  const body = () => JSON.stringify({ model: "gpt-5", stream: true, instructions: "x".repeat(14_000), input: [] });
  const ask = async () => { for await (const _ of (await fetch(url, { method: "POST", headers, body: body() })).body); };
  ask().then(() => Promise.all(Array.from({ length: count - 1 }, ask)));`;

/** The first request is answered alone, which a batch waits for; the others when all were sent, evenly over `spreadMs`; 0: at once. */
async function measurePeak(tasks: number, start: StartTasks, spreadMs = 0): Promise<number> {
  let asked = 0;
  const all = Promise.withResolvers<void>();
  await using world = await openCommandWorld(async () => {
    asked += 1;
    const delayMs = (spreadMs * asked) / tasks;
    if (asked === tasks) all.resolve();
    if (asked > 1) await all.promise;
    return { items: [{ text: "Done." }], delayMs };
  });
  return await measurePeakMemory(await start(world, tasks));
}

/** Until the first request. */
async function measureStart(rounds: number): Promise<BenchRow> {
  const { times } = await interleave(rounds, {
    times: async () => {
      const asked = Promise.withResolvers<number>();
      await using world = await openCommandWorld(() => {
        asked.resolve(performance.now());
        return { items: [{ text: "Done." }], delayMs: 60_000 };
      });
      const command = await toBatch(world, lines, jobs);
      const began = performance.now();
      const running = runCommand(command, (pid) => void asked.promise.then(() => process.kill(pid, "SIGKILL")));
      const time = (await asked.promise) - began;
      await running.catch(() => {}); // it was killed
      return time;
    },
  });
  const value = median(times);
  const ok = value <= startTarget;
  return { label: `${lines} lines: until the first request`, value, unit: "ms", target: `<= ${startTarget} ms`, ok };
}

async function measureSpeed(rounds: number): Promise<readonly BenchRow[]> {
  const count = jobs * 8 + 1;
  const { fetches, tasks } = await interleave(rounds, {
    fetches: () => measureSpan(async (world) => fetchAll(`${world.model.url}/responses`, count)),
    tasks: () => measureSpan(async (world) => runCommand(await toBatch(world, count, jobs), () => {})),
  });
  const [base, value] = [count / median(fetches), count / median(tasks)].map((perMs) => perMs * 1000);
  const ratio = (value ?? 0) / (base ?? 0);
  const unit = "requests/s";
  return [
    { label: `bare fetch, ${jobs} at once, ${answerMs} ms an answer`, value: base ?? 0, unit, ratio: 1 },
    {
      label: "tasks of a batch, the same",
      value: value ?? 0,
      unit,
      ratio,
      target: `>= ${speedTarget}x`,
      ok: ratio >= speedTarget,
    },
  ];
}

/** From the second request to the last one, in ms: without the start of a process, its end, and the first task of a batch, which warms the cache alone. */
async function measureSpan(ask: (world: CommandWorld) => Promise<void>): Promise<number> {
  const times: number[] = [];
  await using world = await openCommandWorld(() => {
    times.push(performance.now());
    return { items: [{ text: "Done." }], delayMs: answerMs };
  });
  await ask(world);
  return (times.at(-1) ?? 0) - (times[1] ?? 0);
}

async function fetchAll(url: string, count: number): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => index).values();
  const body = (index: number): string => JSON.stringify({ model: "gpt-5", stream: true, input: [message(index)] });
  const headers = { "content-type": "application/json", authorization: "Bearer none" };
  const work = async (): Promise<void> => {
    for (const index of left) await (await fetch(url, { method: "POST", headers, body: body(index) })).text();
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

function message(index: number): object {
  return { type: "message", role: "user", content: [{ type: "input_text", text: `Job ${index}` }] };
}

async function toBatch(world: CommandWorld, tasks: number, atOnce: number): Promise<ProcessCommand> {
  const task = (index: number): string => JSON.stringify({ id: `job-${index}`, prompt: `Job ${index}` });
  await writeFile(join(world.cwd, "tasks.jsonl"), Array.from({ length: tasks }, (_, index) => task(index)).join("\n"));
  const flags = ["--skip-git-repo-check", "-s", "danger-full-access", "-j", String(atOnce)];
  return world.unroll("exec", "--batch", "tasks.jsonl", ...flags);
}
