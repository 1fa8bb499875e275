import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BenchOptions, BenchResult } from "./bench.ts";
import { createCallResponder } from "./call-responder.ts";
import { type CommandWorld, openCommandWorld } from "./command-world.ts";
import { measureCpu, type ProcessCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";

export const name = "login-shells";

const calls = 100;
const profileMs = 150; // of CPU
const target = 1.3; // times the CPU of the same turn with an empty profile

/** A turn of 100 calls whose shells read the profile, by CPU time: an empty one against one of 150 ms. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const responder = createCallResponder({ script: "echo hello", login: true });
  await using light = await openCommandWorld(responder);
  await using heavy = await openCommandWorld(createCallResponder({ script: "echo hello", login: true }));
  await writeProfile(light, "");
  const loops = await calibrate(heavy);
  const turn = ["exec", "--skip-git-repo-check", `calls: ${calls}`] as const;
  const of = (mode: string): Record<string, ProcessCommand> => ({
    [`${mode}, an empty profile`]: light.unroll(...turn, "-s", mode),
    [`${mode}, a profile of ${profileMs} ms`]: heavy.unroll(...turn, "-s", mode),
  });
  const commands = { ...of("danger-full-access"), ...of("workspace-write") };
  const variants: Record<string, () => Promise<number>> = {
    profile: () => measureCpu(toLogin(heavy)),
    ...Object.fromEntries(Object.entries(commands).map(([label, command]) => [label, () => measureCpu(command)])),
  };
  const times = await interleave(rounds, variants);
  const cpuOf = (label: string): number => median(times[label] ?? []);
  const labels = Object.keys(commands);
  return {
    name,
    rows: [
      { label: `bash -lc :, that profile (${loops} loops)`, value: cpuOf("profile"), unit: "ms CPU" },
      ...labels.map((label, index) => {
        const value = cpuOf(label);
        const ratio = value / cpuOf(labels[index - (index % 2)] ?? label);
        const row = { label: `${calls} calls, ${label}`, value, unit: "ms CPU", ratio };
        return index % 2 === 0 ? row : { ...row, target: `<= ${target}x`, ok: ratio <= target };
      }),
    ],
  };
}

/** Writes a profile that takes `profileMs`; returns how many times it goes round. */
async function calibrate(world: CommandWorld): Promise<number> {
  const few = 20_000;
  await writeProfile(world, toProfile(few));
  const times = await interleave(3, { few: () => measureCpu(toLogin(world)) });
  const loops = Math.round((few * profileMs) / Math.max(1, median(times.few)));
  await writeProfile(world, toProfile(loops));
  return loops;
}

/** Imitates what version managers do at a shell's start: they work, export a few variables, and define functions. */
function toProfile(loops: number): string {
  const functions = Array.from(
    { length: 20 },
    (_, n) => `tool_${n}() { local word; for word in "$@"; do echo "$word"; done; }`,
  );
  return [
    `for ((i = 0; i < ${loops}; i++)); do :; done`,
    'export TOOL_ROOT="$HOME/.tool" PATH="$HOME/.tool/bin:$PATH"',
    ...functions,
    "",
  ].join("\n");
}

function writeProfile(world: CommandWorld, text: string): Promise<void> {
  return writeFile(join(dirname(world.codexHome), ".bash_profile"), text);
}

function toLogin(world: CommandWorld): ProcessCommand {
  return { ...world.node(), argv: ["bash", "-lc", ":"] };
}
