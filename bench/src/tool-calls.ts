import type { Responder, TurnItem } from "@unroll/scripted-model";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measurePeakMemory, measureWall, type ProcessCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";

export const name = "tool-calls";

const script = "echo hello";
const overheadTarget = 4; // ms a call
const growthTarget = 11; // times, for ten times the calls
const memoryTarget = 95; // MiB
const shareTarget = 0.25; // of a peer's time for the same turn in its sandbox

/** Spawns the same commands as the turn, one after the other, and nothing else. */
const bareCommands = `
const { spawn } = require("node:child_process");
const { once } = require("node:events");
(async () => {
  for (let i = 0; i < Number(process.argv[1]); i++) {
    await once(spawn("bash", ["-c", ${JSON.stringify(script)}], { stdio: ["ignore", "pipe", "pipe"] }), "close");
  }
})();`;

/** A turn of N tool calls, one a response, against the same N commands spawned by bare node. */
export async function run({ rounds, peers }: BenchOptions): Promise<BenchResult> {
  await using world = await openCommandWorld(createResponder());
  const commands: Record<string, ProcessCommand> = {
    "bare node, 100 commands": world.node("-e", bareCommands, "100"),
    "unroll, 100 calls": world.unroll(...turn(100)),
    "unroll, 100 sandboxed calls": world.unroll(...turn(100, "workspace-write")),
  };
  for (const [peer, command] of Object.entries(peers)) {
    commands[`${peer}, 100 calls`] = world.peer(command, ...turn(100));
    commands[`${peer}, 100 sandboxed calls`] = world.peer(command, ...turn(100, "workspace-write"));
  }
  const few = await interleave(rounds, toMeasures(commands));
  const growth = await interleave(Math.max(3, Math.ceil(rounds / 3)), {
    hundred: () => measureWall(world.unroll(...turn(100))),
    thousand: () => measureWall(world.unroll(...turn(1000))),
  });
  const peaks = await interleave(3, { peak: () => measurePeakMemory(world.unroll(...turn(1000))) });
  const of = (label: string): number => median(few[label] ?? []);
  const base = of("bare node, 100 commands");
  const ours = of("unroll, 100 calls");
  const confined = of("unroll, 100 sandboxed calls");
  return {
    name,
    rows: [
      ...Object.keys(few).map((label) => ({ label, value: of(label), unit: "ms", ratio: of(label) / base })),
      {
        label: "unroll, overhead a call, start-up included",
        unit: "ms",
        ...bound((ours - base) / 100, overheadTarget, " ms"),
      },
      ...toGrowth(median(growth.thousand), median(growth.hundred)),
      { label: "unroll, 1,000 calls: peak memory", unit: "MiB", ...bound(median(peaks.peak), memoryTarget, " MiB") },
      ...Object.keys(peers).map((peer) => toShare(peer, confined, of(`${peer}, 100 sandboxed calls`))),
    ],
  };
}

function turn(calls: number, mode = "danger-full-access"): readonly string[] {
  return ["exec", "--skip-git-repo-check", "-s", mode, `calls: ${calls}`];
}

function bound(value: number, most: number, unit: string): Pick<BenchRow, "value" | "target" | "ok"> {
  return { value, target: `<= ${most}${unit}`, ok: value <= most };
}

function toGrowth(grown: number, ours: number): readonly BenchRow[] {
  const ratio = grown / ours;
  return [
    { label: "unroll, 1,000 calls against 100", unit: "ms", ratio, ...bound(ratio, growthTarget, "x"), value: grown },
  ];
}

function toShare(peer: string, ours: number, theirs: number): BenchRow {
  const ratio = ours / theirs;
  return {
    label: `unroll, sandboxed calls against ${peer}`,
    unit: "ms",
    ratio,
    ...bound(ratio, shareTarget, "x"),
    value: ours,
  };
}

function toMeasures(commands: Readonly<Record<string, ProcessCommand>>): Record<string, () => Promise<number>> {
  return Object.fromEntries(Object.entries(commands).map(([label, command]) => [label, () => measureWall(command)]));
}

interface Progress {
  readonly wanted: number;
  /** The N-th: each is another one, for a model that makes the same call again and again is stopped. */
  readonly toCall: (n: number) => TurnItem;
  had: number;
}

/**
 * Asks for one more command, by the tool that the program has, until there were as many as the message wants. A thread's
 * body is read once: reading all of them would cost the server more with each call, and we measure clients.
 */
function createResponder(): Responder {
  const threads = new Map<string, Progress>();
  return (request) => {
    const thread = String(request.headers["session_id"] ?? request.headers["session-id"] ?? request.index);
    const progress = threads.get(thread) ?? readProgress(request.body);
    threads.set(thread, progress);
    return { items: [progress.had < progress.wanted ? progress.toCall(progress.had++) : { text: "Done." }] };
  };
}

function readProgress({ tools, input }: Readonly<Record<string, unknown>>): Progress {
  const items = toList<{ type?: string; content?: { text?: string }[] }>(input);
  const wanted = items.flatMap((item) => /^calls: (\d+)$/.exec(item.content?.at(-1)?.text ?? "")?.[1] ?? []).at(-1);
  const had = items.filter((item) => item.type === "function_call_output").length;
  const hasSessions = toList<{ name?: string }>(tools).some((tool) => tool.name === "exec_command");
  const toCall = (n: number): TurnItem =>
    hasSessions
      ? { call: "exec_command", arguments: { cmd: `${script} # ${n}`, login: false } }
      : { call: "shell_command", arguments: { command: `${script} # ${n}`, login: false } };
  return { wanted: Number(wanted), had, toCall };
}

function toList<Entry>(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? (value as readonly Entry[]) : [];
}
