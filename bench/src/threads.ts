import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openThreadStore } from "@unroll/rollout";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measurePeakMemory, measureWall, readCpu, runCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";
import { measureAppend, writeLargeThread, writeSmallThreads } from "./thread-files.ts";

export const name = "threads";

const manyThreads = 10_000;
const largeBytes = 100e6;
const epochBytes = 1e6; // about what a window of 272,000 tokens holds
const appended = 2_000;
const manyCalls = 2_000;
const sample = 200;
const growthTarget = 1.5; // times, the last calls against the first
const cpuGrowthTarget = 1.1;
const manyTarget = 1.3; // times an empty home
const loadTarget = 3; // times reading and parsing
const memoryTarget = 80; // MiB over the live epoch
const appendTarget = 0.3; // ms a record

const flags = ["exec", "--skip-git-repo-check", "-s", "danger-full-access"];

/**
 * Measures threads on disk: finding the latest of many, resuming a large one, writing one more record, or one more
 * call.
 */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  return {
    name,
    rows: [
      ...(await measureMany(rounds)),
      ...(await measureLarge(rounds)),
      await measureAppends(rounds),
      ...(await measureGrowth()),
    ],
  };
}

async function measureMany(rounds: number): Promise<readonly BenchRow[]> {
  await using few = await openCommandWorld(() => ({ items: [{ text: "Hello." }] }));
  await using many = await openCommandWorld(() => ({ items: [{ text: "Hello." }] }));
  await writeSmallThreads(many.codexHome, manyThreads);
  const resume = [...flags, "resume", "--last", "Go on."];
  for (const world of [few, many]) await measureWall(world.unroll(...flags, "Begin."));
  const walls = await interleave(rounds, {
    few: () => measureWall(few.unroll(...resume)),
    many: () => measureWall(many.unroll(...resume)),
    list: () => measureWall(many.unroll("threads", "list", "--all")),
  });
  const [base, value, list] = [median(walls.few), median(walls.many), median(walls.list)];
  return [
    { label: "exec resume --last, 1 thread", value: base, unit: "ms", ratio: 1 },
    { label: "exec resume --last, 10,000 threads", value, unit: "ms", ...toRatio(value / base, manyTarget) },
    { label: "threads list --all, 25 of 10,000", value: list, unit: "ms", ratio: list / base },
  ];
}

async function measureLarge(rounds: number): Promise<readonly BenchRow[]> {
  await using world = await openCommandWorld(() => ({ items: [{ text: "Hello." }] }));
  const { codexHome, cwd } = world;
  const id = await writeLargeThread({ codexHome, cwd, provider: "bench", size: largeBytes, epochSize: epochBytes });
  const [path = ""] = globSync(join(codexHome, "sessions/*/*/*/*.jsonl"));
  const resume = world.unroll(...flags, "resume", id, "Go on.");
  const store = openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
  const times = await interleave(Math.min(rounds, 5), {
    parse: () => measure(() => readAndParse(path)),
    resume: () =>
      measure(async () => {
        const { journal } = await store.resume(id);
        await journal[Symbol.asyncDispose]();
      }),
    load: () => measure(() => store.load(id)),
  });
  const peaks = await interleave(Math.min(rounds, 3), { peak: () => measurePeakMemory(resume) });
  const [base, resumed, loaded] = [median(times.parse), median(times.resume), median(times.load)];
  const live = measureLive(path) / 1024 ** 2;
  const over = median(peaks.peak) - live;
  return [
    { label: "reading 100 MB and parsing its JSON", value: base, unit: "ms", ratio: 1 },
    { label: "going on with a thread of 100 MB", value: resumed, unit: "ms", ...toRatio(resumed / base, loadTarget) },
    { label: "reading all of a thread of 100 MB", value: loaded, unit: "ms", ratio: loaded / base },
    {
      label: "exec resume of it: peak memory over its live epoch",
      value: over,
      unit: "MiB",
      target: `<= ${memoryTarget} MiB`,
      ok: over <= memoryTarget,
    },
  ];
}

async function measureAppends(rounds: number): Promise<BenchRow> {
  await using world = await openCommandWorld(() => ({ items: [] }));
  const store = openThreadStore({ codexHome: world.codexHome, clock: { now: Date.now }, pid: process.pid });
  const { appends } = await interleave(Math.min(rounds, 5), {
    appends: async () => {
      const meta = { threadId: randomUUID(), cwd: world.cwd, userAgent: "b", modelProvider: "b", forkedFrom: null };
      await using journal = await store.create(meta);
      journal.record({ type: "thread.opened", threadId: meta.threadId, model: "m", provider: "p", head: null });
      journal.record({ type: "turn.started", turnId: "one" });
      return await measureAppend(journal, appended);
    },
  });
  const value = median(appends);
  return {
    label: "a record of 2 kB, settled",
    value,
    unit: "ms",
    target: `<= ${appendTarget} ms`,
    ok: value <= appendTarget,
  };
}

/**
 * Compares the time between two requests at the end of a turn with the one at its beginning: a call's cost must not
 * grow with the thread. The CPU is the program's and its commands' alone; in the time is what the server takes to read
 * ever longer requests, too.
 */
async function measureGrowth(): Promise<readonly BenchRow[]> {
  const times: number[] = [];
  const cpus: number[] = [];
  let program = 0;
  await using world = await openCommandWorld(() => {
    times.push(performance.now());
    cpus.push(readCpu(program));
    const call = { call: "exec_command", arguments: { cmd: `echo hello # ${times.length}`, login: false } };
    return { items: [times.length <= manyCalls ? call : { text: "Done." }] };
  });
  await runCommand(world.unroll(...flags, "Go."), (pid) => void (program = pid));
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const [first, last] = [lowerQuartile(gaps.slice(sample / 2, 1.5 * sample)), lowerQuartile(gaps.slice(-sample))];
  const spent = (from: number): number => ((cpus.at(from + sample) ?? 0) - (cpus.at(from) ?? 0)) / sample;
  const [early, late] = [spent(sample / 2), spent(-sample - 1)];
  return [
    {
      label: "2,000 calls: one of the last against one of the first",
      value: last,
      unit: "ms",
      ...toRatio(last / first, growthTarget),
    },
    {
      label: "the same by CPU, without the server",
      value: late,
      unit: "ms",
      ...toRatio(late / early, cpuGrowthTarget),
    },
  ];
}

/** Other work of the machine only adds to some of the values. */
function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

async function measure(work: () => Promise<unknown> | void): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function readAndParse(path: string): void {
  for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") JSON.parse(line);
}

/** The number of bytes after the last start of an epoch. */
function measureLive(path: string): number {
  const file = readFileSync(path);
  return file.length - file.lastIndexOf('"type":"compacted"');
}

function toRatio(ratio: number, most: number): Pick<BenchRow, "ratio" | "target" | "ok"> {
  return { ratio, target: `<= ${most}x`, ok: ratio <= most };
}
