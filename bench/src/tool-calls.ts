import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measurePeakMemory, measureWall, type ProcessCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";

export const name = "tool-calls";

const script = "echo hello";
const overheadTarget = 4; // ms a call
const growthTarget = 11; // times, for ten times the calls
const memoryTarget = 160; // MiB

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
  await using world = await openCommandWorld(({ body }) => answerCall(body["input"]));
  const turn = (calls: number): string[] => [
    "exec",
    "--skip-git-repo-check",
    "-s",
    "danger-full-access",
    `calls: ${calls}`,
  ];
  const commands: Record<string, ProcessCommand> = {
    "bare node, 100 commands": world.node("-e", bareCommands, "100"),
    "unroll, 100 calls": world.unroll(...turn(100)),
  };
  for (const [peer, command] of Object.entries(peers))
    commands[`${peer}, 100 calls`] = world.peer(command, ...turn(100));

  const few = await interleave(rounds, toMeasures(commands));
  const many = await interleave(Math.max(1, Math.ceil(rounds / 5)), {
    "unroll, 1,000 calls": () => measureWall(world.unroll(...turn(1000))),
  });
  const base = median(few["bare node, 100 commands"] ?? []);
  const ours = median(few["unroll, 100 calls"] ?? []);
  const grown = median(many["unroll, 1,000 calls"]);
  const overhead = (ours - base) / 100;
  const peak = await measurePeakMemory(world.unroll(...turn(1000)));
  const rows: BenchRow[] = Object.entries(few).map(([label, walls]) => {
    const value = median(walls);
    return { label, value, unit: "ms", ratio: value / base };
  });
  rows.push(
    {
      label: "unroll, overhead a call",
      value: overhead,
      unit: "ms",
      target: `<= ${overheadTarget} ms`,
      ok: overhead <= overheadTarget,
    },
    {
      label: "unroll, 1,000 calls against 100",
      value: grown,
      unit: "ms",
      ratio: grown / ours,
      target: `<= ${growthTarget}x`,
      ok: grown / ours <= growthTarget,
    },
    {
      label: "unroll, 1,000 calls: peak memory",
      value: peak,
      unit: "MiB",
      target: `<= ${memoryTarget} MiB`,
      ok: peak <= memoryTarget,
    },
  );
  return { name, rows };
}

function toMeasures(commands: Readonly<Record<string, ProcessCommand>>): Record<string, () => Promise<number>> {
  return Object.fromEntries(Object.entries(commands).map(([label, command]) => [label, () => measureWall(command)]));
}

/** Asks for one more command until as many outputs are there as the user's message wants. */
function answerCall(input: unknown): { items: readonly ({ text: string } | { call: string; arguments: unknown })[] } {
  const items = Array.isArray(input) ? (input as { type?: string; content?: { text?: string }[] }[]) : [];
  const wanted = items.flatMap((item) => /^calls: (\d+)$/.exec(item.content?.at(-1)?.text ?? "")?.[1] ?? []).at(-1);
  const had = items.filter((item) => item.type === "function_call_output").length;
  if (had >= Number(wanted)) return { items: [{ text: "Done." }] };
  return { items: [{ call: "shell_command", arguments: { command: script, login: false } }] };
}
