import { createMemoryPatchFiles } from "@unroll/apply-patch";
import type { Executor } from "@unroll/harness";
import type { CommandOutcome, CommandOutput, CommandSpec } from "@unroll/protocol";
import { createMcpConnect, type McpWorld } from "./create-mcp-connect.ts";
import type { Chance } from "./create-chance.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** The world that outlasts a process, as far as its tools reach. */
export interface MachineWorld extends McpWorld {
  readonly chance: Chance;
  /** How often something fails. */
  readonly faults: () => number;
  /** The text of AGENTS.md now; null: there is none. */
  readonly document: () => string | null;
  /** A secret that no tool should pass on. */
  readonly secret: string;
  /** A command began: `script` as the model wrote it. */
  readonly onRun: (script: string) => void;
  readonly onFault: (what: string) => void;
}

/** The disk and the commands of one simulated process. */
export function createSimulatedMachine(process: SimulatedProcess, world: MachineWorld): Executor {
  const runner: Executor["runner"] = {
    run: (spec, signal) => runCommand(process, world, { spec, signal }),
    async startBackgroundCommand(spec, signal) {
      const output = runCommand(process, world, { spec, signal });
      return { type: "opened", session: { write: () => {}, resize: () => {}, output } };
    },
  };
  return {
    runner,
    patchFiles: createMemoryPatchFiles({ "/a.txt": "one\ntwo\nthree\n" }),
    promptFiles: {
      async read(path) {
        const text = readText(path, world);
        if (text === null) return { type: "missing" };
        const bytes = new TextEncoder().encode(text);
        return { type: "read", bytes, size: bytes.length };
      },
      list: async () => ({ type: "missing" }),
    },
    connectMcp: createMcpConnect(process, world),
    openOutputFiles: () => ({ open: async () => null, [Symbol.asyncDispose]: async () => {} }),
  };
}

function readText(path: string, world: MachineWorld): string | null {
  if (path.startsWith("/instructions/")) return `You are ${path}. Work.`;
  return path === "/AGENTS.md" ? world.document() : null;
}

interface CommandRun {
  readonly spec: CommandSpec;
  readonly signal: AbortSignal;
}

async function* runCommand(
  process: SimulatedProcess,
  { chance, faults, secret, onRun, onFault }: MachineWorld,
  { spec, signal }: CommandRun,
): AsyncGenerator<CommandOutput, CommandOutcome> {
  const script = spec.argv.at(-1) ?? "";
  await process.step(`command: ${script}`);
  if (chance.happens(faults() / 5)) {
    onFault("command not started");
    return { type: "not_started", message: "There is no such program." };
  }
  onRun(script);
  const startedAt = process.clock.elapsed();
  const endsAt = startedAt + chance.pick(5, 40, 900, 30_000, 400_000);
  let text = "";
  const result = (): Extract<CommandOutcome, { type: "aborted" }> => ({
    type: "aborted",
    durationMs: process.clock.elapsed() - startedAt,
    output: {
      text,
      totalBytes: text.length,
      totalLines: text.split("\n").length - 1,
      omittedBytes: 0,
      omittedLines: 0,
    },
  });
  const pieces = chance.below(4);
  for (let piece = 0; piece <= pieces; piece++) {
    const rest = Math.min(endsAt, startedAt + spec.timeoutMs) - process.clock.elapsed();
    await process.clock.sleep(rest / (1 + pieces - piece), signal);
    if (signal.aborted) return result();
    if (process.clock.elapsed() - startedAt >= spec.timeoutMs) return { ...result(), type: "timed_out" };
    const said = `${script} says ${chance.pick("ok", secret, "x".repeat(chance.below(3000)), "\u2028é")}\n`;
    text += said;
    await process.step(`output of ${script}`);
    yield { type: "output", stream: "stdout", text: said };
  }
  return { ...result(), type: "exited", exitCode: chance.pick(0, 0, 1, 137), signal: null };
}
