import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Responder } from "@unroll/scripted-model";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { createCallResponder } from "./call-responder.ts";
import { type CommandWorld, openCommandWorld } from "./command-world.ts";
import { startDeltaServer, streamSeconds } from "./delta-server.ts";
import { measureCpu, measureWall } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";
import { openTerminalSeat } from "./terminal-seat.ts";
import { writeLargeThread } from "./thread-files.ts";

export const name = "two-builds";

const target = 1.03;
const threadBytes = 20e6;
const epochBytes = 1e6;
const keyGapMs = 117;
const shownKey = "k\u001b[K";

/** Ms of one run. */
type Measure = () => Promise<number>;

/** How often each is measured, as a share of the rounds, and by what. */
interface Measured {
  readonly share: number;
  readonly measure: Measure;
}

/** This build of the command against another one (`--against COMMAND`), in turn: is a mechanism that was removed missed? */
export async function run({ rounds, against }: BenchOptions): Promise<BenchResult> {
  if (against === null) throw new Error("two-builds needs --against COMMAND: bin/unroll of another checkout, built");
  await using ours = await openBuild(null);
  await using theirs = await openBuild(against);
  const rows: BenchRow[] = [];
  for (const [label, { share, measure }] of Object.entries(ours.measures)) {
    const other = theirs.measures[label];
    if (other === undefined) continue;
    for (const warmUp of [measure, other.measure]) if (share >= 1) await warmUp();
    const times = await interleave(Math.max(3, Math.round(rounds * share)), { ours: measure, theirs: other.measure });
    // pair by pair: what else the machine does hits both runs of a pair alike
    const ratio = median(times.ours.map((each, round) => each / (times.theirs[round] ?? Number.NaN)));
    rows.push({ label, value: median(times.ours), unit: "ms", ratio, target: `<= ${target}x`, ok: ratio <= target });
  }
  return { name, rows };
}

interface Build extends AsyncDisposable {
  /** By what is measured. */
  readonly measures: Readonly<Record<string, Measured>>;
}

/** `command`: null for the one of this checkout. */
async function openBuild(command: string | null): Promise<Build> {
  const world = await openCommandWorld(createAnswers(), command);
  const deltas = await startDeltaServer();
  const provider = `[model_providers.deltas]\nname = "deltas"\npreset = "openai"\nbase_url = "${deltas.url}"\n`;
  await appendFile(join(world.codexHome, "config.toml"), provider);
  const { codexHome, cwd } = world;
  const id = await writeLargeThread({ codexHome, cwd, provider: "bench", size: threadBytes, epochSize: epochBytes });
  return {
    measures: { ...toRuns(world, id), ...toTerminalRuns(world) },
    async [Symbol.asyncDispose]() {
      await deltas[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Calls for `calls: N`, else a greeting. */
function createAnswers(): Responder {
  const calls = createCallResponder({ script: "echo hello", login: false });
  return (request, index) =>
    JSON.stringify(request.body["input"]).includes("calls: ") ? calls(request, index) : { items: [{ text: "Hello." }] };
}

function toRuns(world: CommandWorld, id: string): Record<string, Measured> {
  const flags = (mode: string): readonly string[] => ["exec", "--skip-git-repo-check", "-s", mode];
  const open = flags("danger-full-access");
  const runs: Readonly<Record<string, { share: number; args: readonly string[] }>> = {
    "--help of a subcommand": { share: 2, args: ["exec", "--help"] },
    "one message": { share: 3, args: [...open, "Say hello."] },
    "resume of 20 MB": { share: 2, args: [...open, "resume", id, "Go on."] },
    "100 calls": { share: 1, args: [...open, "calls: 100"] },
    "100 sandboxed calls": { share: 0.6, args: [...flags("workspace-write"), "calls: 100"] },
    "1,000 calls": { share: 0.3, args: [...open, "calls: 1000"] },
  };
  return Object.fromEntries(
    Object.entries(runs).flatMap(([label, { share, args }]) =>
      [measureWall, measureCpu].map((measure) => [
        `${label}: ${measure === measureWall ? "wall" : "CPU"}`,
        { share, measure: () => measure(world.unroll(...args)) },
      ]),
    ),
  );
}

function toTerminalRuns(world: CommandWorld): Record<string, Measured> {
  const command = world.unroll("-s", "danger-full-access", "-c", "model_provider=deltas");
  return {
    "first frame, with a key typed before it": {
      share: 2,
      async measure() {
        const began = performance.now();
        using seat = openTerminalSeat(command);
        await seat.time("k", shownKey);
        const ms = performance.now() - began;
        seat.type("\u0015\u0004"); // its compiled code is kept
        await seat.ended();
        return ms;
      },
    },
    "a key to the screen, p95 while an answer streams": {
      share: 0.3,
      async measure() {
        using seat = openTerminalSeat(command);
        await seat.shows("danger-full-access");
        seat.type("stream");
        await seat.time("\r", "working");
        const echoes: number[] = [];
        const began = performance.now();
        while (performance.now() - began < streamSeconds * 1000 - keyGapMs) {
          const written = "k".repeat((echoes.length % 60) + 1);
          echoes.push(await seat.time(written === "k" ? "\u0015k" : "k", `${written}\u001b[K`));
          await sleep(keyGapMs);
        }
        return echoes.toSorted((left, right) => left - right)[Math.floor(echoes.length * 0.95)] ?? Number.NaN;
      },
    },
  };
}
