import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { createCallResponder } from "./call-responder.ts";
import { type CommandWorld, openCommandWorld } from "./command-world.ts";
import { startDeltaServer } from "./delta-server.ts";
import { measureTimes } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";
import { openTerminalSeat } from "./terminal-seat.ts";
import { writeLargeThread } from "./thread-files.ts";

export const name = "two-builds";

const target = 1.03;
const threadBytes = 20e6;
const epochBytes = 1e6;
const keyGapMs = 117;
const keySeconds = 5;
const shownKey = "k\u001b[K";

/** The times of one run, in ms, by the name of the measure: `wall`, `CPU`; empty for the only one. */
type Times = Readonly<Record<string, number>>;

/** Something that both builds do. */
interface Task {
  /** Pairs of runs for each round. Long tasks run less often, so that ten rounds take less than five minutes on a quiet machine. */
  readonly share: number;
  readonly run: () => Promise<Times>;
}

/** This build of the command against another one (`--against COMMAND`), in turn: is a mechanism that was removed missed? */
export async function run({ rounds, against }: BenchOptions): Promise<BenchResult> {
  if (against === null) throw new Error("two-builds needs --against COMMAND: bin/unroll of another checkout, built");
  await using ours = await openBuild(null);
  await using theirs = await openBuild(against);
  const rows: BenchRow[] = [];
  for (const [label, { share, run: runOurs }] of Object.entries(ours.tasks)) {
    const runTheirs = theirs.tasks[label]?.run;
    if (runTheirs === undefined) continue;
    // the first runs fill caches
    for (const warmUp of [runOurs, runTheirs]) if (share >= 1) await warmUp();
    const pairs = Math.max(3, Math.round(rounds * share));
    const times = await interleave(pairs, { ours: runOurs, theirs: runTheirs });
    for (const measured of Object.keys(times.ours[0] ?? {}))
      rows.push(toRow([label, measured].filter((part) => part !== "").join(": "), toPairs(times, measured)));
  }
  return { name, rows };
}

interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

function toPairs(times: Readonly<Record<keyof Pair, readonly Times[]>>, measured: string): readonly Pair[] {
  const read = (each: Times | undefined): number => each?.[measured] ?? Number.NaN;
  return times.ours.map((each, at) => ({ ours: read(each), theirs: read(times.theirs[at]) }));
}

/** The median of the pairs' ratios, since other load on the machine affects both runs of a pair. Its spread tells noise from a change. */
function toRow(label: string, pairs: readonly Pair[]): BenchRow {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).toSorted((left, right) => left - right);
  const ratio = median(ratios);
  const quarter = Math.floor(ratios.length / 4);
  const [low = ratio, high = ratio] = [ratios[quarter], ratios.at(-1 - quarter)];
  const spread = `${pairs.length} pairs, half of them ${low.toFixed(2)}x to ${high.toFixed(2)}x`;
  const value = median(pairs.map(({ ours }) => ours));
  return { label: `${label} (${spread})`, value, unit: "ms", ratio, target: `<= ${target}x`, ok: ratio <= target };
}

interface Build extends AsyncDisposable {
  /** By their names. */
  readonly tasks: Readonly<Record<string, Task>>;
}

/** `command`: null for the one of this checkout. */
async function openBuild(command: string | null): Promise<Build> {
  const world = await openCommandWorld(createCallResponder({ script: "echo hello", login: false }), command);
  const deltas = await startDeltaServer(keySeconds);
  const provider = `[model_providers.deltas]\nname = "deltas"\npreset = "openai"\nbase_url = "${deltas.url}"\n`;
  await appendFile(join(world.codexHome, "config.toml"), provider);
  const { codexHome, cwd } = world;
  const id = await writeLargeThread({ codexHome, cwd, provider: "bench", size: threadBytes, epochSize: epochBytes });
  return {
    tasks: { ...toRuns(world, id), ...toTerminalRuns(world) },
    async [Symbol.asyncDispose]() {
      await deltas[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

function toRuns(world: CommandWorld, id: string): Record<string, Task> {
  const flags = (mode: string): readonly string[] => ["exec", "--skip-git-repo-check", "-s", mode];
  const open = flags("danger-full-access");
  const runs: Readonly<Record<string, { share: number; args: readonly string[] }>> = {
    "--help of a subcommand": { share: 3, args: ["exec", "--help"] },
    "one message": { share: 4, args: [...open, "Say hello."] },
    "resume of 20 MB": { share: 2, args: [...open, "resume", id, "Go on."] },
    "100 calls": { share: 1, args: [...open, "calls: 100"] },
    "100 sandboxed calls": { share: 0.6, args: [...flags("workspace-write"), "calls: 100"] },
    "1,000 calls": { share: 0.3, args: [...open, "calls: 1000"] },
  };
  return Object.fromEntries(
    Object.entries(runs).map(([label, { share, args }]) => [
      label,
      {
        share,
        async run() {
          const { wall, cpu } = await measureTimes(world.unroll(...args));
          return { wall, CPU: cpu };
        },
      },
    ]),
  );
}

function toTerminalRuns(world: CommandWorld): Record<string, Task> {
  const command = world.unroll("-s", "danger-full-access", "-c", "model_provider=deltas");
  return {
    "first frame, with a key typed before it": {
      share: 2,
      async run() {
        const began = performance.now();
        using seat = openTerminalSeat(command);
        await seat.time("k", shownKey);
        const ms = performance.now() - began;
        seat.type("\u0015\u0004"); // its compiled code is kept
        await seat.ended();
        return { "": ms };
      },
    },
    "a key to the screen, p95 while an answer streams": {
      share: 0.4,
      async run() {
        using seat = openTerminalSeat(command);
        await seat.shows("danger-full-access");
        seat.type("stream");
        await seat.time("\r", "working");
        const echoes: number[] = [];
        const began = performance.now();
        while (performance.now() - began < keySeconds * 1000 - keyGapMs) {
          const written = "k".repeat((echoes.length % 60) + 1);
          echoes.push(await seat.time(written === "k" ? "\u0015k" : "k", `${written}\u001b[K`));
          await sleep(keyGapMs);
        }
        const sorted = echoes.toSorted((left, right) => left - right);
        return { "": sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
      },
    },
  };
}
