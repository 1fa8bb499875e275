import { type CallGate, type BackgroundCommands, createBuiltinTools, createBackgroundCommands } from "@unroll/tools";
import {
  createFakeClock,
  createFakeOutputFiles,
  createGate,
  createInteractiveRunner,
  createPorts,
  createRuntime,
  type FakeClock,
  type FakeOutputFiles,
  functionCall,
  type InteractiveRunner,
  runCalls,
  type RunOptions,
  type RunResult,
} from "../fake-ports.ts";

/** A thread whose model runs commands in sessions. */
interface World {
  readonly runner: InteractiveRunner;
  readonly clock: FakeClock;
  readonly backgroundCommands: BackgroundCommands;
  readonly outputFiles: FakeOutputFiles;
  readonly runtime: ReturnType<typeof createRuntime>;
  call(name: "exec_command" | "write_stdin", args: object, options?: RunOptions): Promise<RunResult>;
}

interface WorldOptions {
  readonly runner?: InteractiveRunner;
  readonly gate?: CallGate;
  readonly maxSessions?: number;
  readonly outputTokens?: number;
  /** As of `CommandSessionsOptions`. */
  readonly noteWalls?: () => () => boolean;
}

export function createWorld(options: WorldOptions = {}): World {
  const { runner = createInteractiveRunner(), gate = createGate() } = options;
  const { maxSessions = 64, outputTokens = 10_000, noteWalls = () => () => false } = options;
  const clock = createFakeClock();
  const outputFiles = createFakeOutputFiles();
  const backgroundCommands = createBackgroundCommands({
    runner,
    clock,
    outputFiles,
    firstId: 7,
    maxSessions,
    noteWalls,
  });
  const family = { shellTool: "exec_command", applyPatchTool: "custom" } as const;
  const tools = createBuiltinTools({ ...createPorts(), family, runner, backgroundCommands, outputFiles });
  const runtime = createRuntime(tools, { clock, outputFiles, outputTokens, gate });
  let calls = 0;
  return {
    runner,
    clock,
    backgroundCommands,
    outputFiles,
    runtime,
    call: (name, args, options) => runCalls(runtime, [functionCall(name, args, `call_${(calls += 1)}`)], options),
  };
}

export const goOn = (id: number) =>
  `Go on with write_stdin and session_id ${id}: empty chars wait for more, "\\u0003" interrupts it, kill ends it.`;
const item = { id: "item_0", type: "command_execution", command: "make" };
export const started = {
  type: "item.started",
  item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" },
};
export const completed = (text: string, exitCode: number | null, end: object) => ({
  type: "item.completed",
  item: {
    ...item,
    aggregated_output: text,
    exit_code: exitCode,
    duration_ms: exitCode === null ? 1_000 : 1_234,
    ...end,
  },
});
export const stopped = "Stopped after 1 s.";

export const delta = (text: string) => ({ type: "item.delta", item_id: "item_0", kind: "command_output", delta: text });

/** Leaves a command running at once. */
export function leave(world: World, args: object = {}): Promise<RunResult> {
  return world.call("exec_command", { cmd: "make", yield_time_ms: 0, ...args });
}

export function poll(world: World, args: object = {}): Promise<RunResult> {
  return world.call("write_stdin", { session_id: 7, yield_time_ms: 0, ...args });
}

/** Until a call waits for a session. */
export async function untilWaiting({ clock }: World): Promise<void> {
  while (clock.sleepers === 0) await Promise.resolve();
}
