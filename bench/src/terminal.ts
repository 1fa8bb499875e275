import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measureWall, type ProcessCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";
import { deltasPerSecond, startDeltaServer, streamSeconds } from "./delta-server.ts";
import { openTerminalSeat, type TerminalSeat } from "./terminal-seat.ts";

export const name = "terminal";

const memoryTarget = 110; // MiB
const cpuTarget = 500; // ms in the 10 s of a stream
const echoTarget = 10; // ms
const pauseTarget = 100; // ms
const growthTarget = 5; // MiB
const fileKeyTarget = 16; // ms
const fileCount = 100_000;
const startTarget = 4; // times bare node
/** The key as our program writes it: what the terminal itself echoes before that has nothing behind it. */
const shownKey = "k\u001b[K";
const keyGapMs = 117;
const cellsATurn = 100;

/** The whole program in a terminal: what a long conversation takes of memory, a stream of the processor, and a person of patience. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  await using server = await startDeltaServer();
  await using world = await openCommandWorld(() => ({ items: [] }));
  const config = `model_auto_compact_token_limit = 0\nmodel_context_window = 1_000_000_000\n`;
  const provider = `[model_providers.deltas]\nname = "deltas"\npreset = "openai"\nbase_url = "${server.url}"\n`;
  await appendFile(join(world.codexHome, "config.toml"), provider);
  const flags = config
    .trim()
    .split("\n")
    .flatMap((line) => ["-c", line.replaceAll(" ", "")]);
  const command = world.unroll("-s", "danger-full-access", "-c", "model_provider=deltas", ...flags);
  const start = await measureStart(command, world.node("-e", "0"), rounds);
  const rows = [start, ...(await measureStream(command)), ...(await measureLong(command))];
  nameFiles(world.cwd);
  return { name, rows: [...rows, await measureFiles(command)] };
}

/** From the start of the process to a key that is shown, typed before. */
async function measureStart(command: ProcessCommand, bare: ProcessCommand, rounds: number): Promise<BenchRow> {
  await startAndLeave(command); // its compiled code is kept
  const times = await interleave(rounds, {
    bare: () => measureWall(bare),
    program: async () => {
      const began = performance.now();
      using seat = openTerminalSeat(command);
      await seat.time("k", shownKey);
      return performance.now() - began;
    },
  });
  const value = median(times.program);
  const ratio = value / median(times.bare);
  const label = "start, to a key that is shown";
  return { label, value, unit: "ms", ratio, target: `<= ${startTarget}x bare node`, ok: ratio <= startTarget };
}

async function startAndLeave(command: ProcessCommand): Promise<void> {
  using seat = openTerminalSeat(command);
  await seat.shows("danger-full-access");
  seat.type("\u0004");
  await seat.ended();
}

async function measureStream(command: ProcessCommand): Promise<readonly BenchRow[]> {
  using seat = openTerminalSeat(command);
  await seat.shows("danger-full-access");
  seat.type("stream");
  await seat.time("\r", "working");
  const before = seat.cpu();
  const echoes: number[] = [];
  const began = performance.now();
  while (performance.now() - began < streamSeconds * 1000 - keyGapMs) {
    const written = "k".repeat((echoes.length % 60) + 1);
    echoes.push(await seat.time(written === "k" ? "\u0015k" : "k", `${written}\u001b[K`));
    await sleep(keyGapMs);
  }
  const cpu = seat.cpu() - before;
  const sorted = echoes.toSorted((left, right) => left - right);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  const label = `${streamSeconds} s of ${deltasPerSecond} deltas a second`;
  return [
    toRow(`${label}: CPU of all of the program`, cpu, { unit: "ms", bound: cpuTarget }),
    toRow(`${label}: a key until it is shown, p95`, p95, { unit: "ms", bound: echoTarget }),
  ];
}

async function measureLong(command: ProcessCommand): Promise<readonly BenchRow[]> {
  using seat = openTerminalSeat(command);
  await seat.shows("danger-full-access");
  await addCells(seat, 6000);
  const { now } = seat.memory();
  await addCells(seat, 4000);
  const first = await look(seat);
  const before = seat.memory().now;
  const pauses = [first];
  for (let round = 0; round < 5; round += 1) pauses.push(await look(seat));
  const growth = seat.memory().now - before;
  const longest = (pick: (each: Pauses) => number): number => Math.max(...pauses.map(pick));
  return [
    toRow("6,000 cells shown: memory", now, { unit: "MiB", bound: memoryTarget }),
    toRow(
      "10,000 cells: all of it opened (^T)",
      longest(({ opened }) => opened),
      { unit: "ms", bound: pauseTarget },
    ),
    toRow(
      "10,000 cells: a page up, the longest",
      longest(({ page }) => page),
      { unit: "ms", bound: pauseTarget },
    ),
    toRow(
      "10,000 cells: to the first line",
      longest(({ start }) => start),
      { unit: "ms", bound: pauseTarget },
    ),
    toRow(
      "10,000 cells: another width, once it is settled",
      longest(({ resized }) => resized),
      {
        unit: "ms",
        bound: pauseTarget,
      },
    ),
    toRow("10,000 cells: growth by looking at all that five times more", growth, { unit: "MiB", bound: growthTarget }),
  ];
}

async function addCells(seat: TerminalSeat, count: number): Promise<void> {
  for (let shown = 0; shown < count; shown += cellsATurn) {
    seat.type(`cells ${cellsATurn}`);
    await seat.time("\r", "tokens: ");
    await sleep(50); // the rest of the frame, and the end of the turn
  }
}

/** In ms, each. */
interface Pauses {
  readonly opened: number;
  readonly page: number;
  readonly start: number;
  readonly resized: number;
}

const frameEnd = "\u001b[?2026l";

/** Somebody looks back through all of it, in a window that changes. */
async function look(seat: TerminalSeat): Promise<Pauses> {
  const opened = await seat.time("\u0014", "Transcript");
  let page = 0;
  for (let pages = 0; pages < 20; pages += 1) page = Math.max(page, await seat.time("b", frameEnd));
  const start = await seat.time("g", frameEnd);
  await seat.time("G", frameEnd);
  await seat.time("q", "\u001b[?1049l");
  const narrow = await seat.resize(80, 30);
  const wide = await seat.resize(120, 40);
  return { opened, page, start, resized: Math.max(narrow, wide) };
}

/** In git's index alone: 100,000 files would take longer to make than all the rest. */
function nameFiles(folder: string): void {
  const git = (args: readonly string[], input: string): string =>
    execFileSync("git", args, { cwd: folder, input, encoding: "utf8" });
  git(["init", "--quiet"], "");
  const blob = git(["hash-object", "-w", "--stdin"], "").trim();
  const toEntry = (_: unknown, at: number): string => `100644 ${blob} 0\tsrc/area-${at % 313}/file-${at}.ts\n`;
  git(["update-index", "--index-info"], Array.from({ length: fileCount }, toEntry).join(""));
}

/** Somebody types a name of a file while the files are listed, and looked through with each letter. */
async function measureFiles(command: ProcessCommand): Promise<BenchRow> {
  using seat = openTerminalSeat(command);
  await seat.shows("danger-full-access");
  let [typed, longest] = ["", 0];
  for (const key of "@file-99123") {
    typed += key;
    longest = Math.max(longest, await seat.time(key, `${typed}\u001b[K`));
    await sleep(keyGapMs);
  }
  const label = `${fileCount.toLocaleString("en")} files: a key behind @ until it is shown, the longest`;
  return toRow(label, longest, { unit: "ms", bound: fileKeyTarget });
}

function toRow(label: string, value: number, { unit, bound }: { unit: string; bound: number }): BenchRow {
  return { label, value, unit, target: `<= ${bound} ${unit}`, ok: value <= bound };
}
