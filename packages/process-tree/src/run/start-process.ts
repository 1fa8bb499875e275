import type { Clock } from "@unroll/flow";
import type { CapturedOutput, CommandOutput } from "@unroll/protocol";
import { createOutputCapture } from "../output/output-capture.ts";
import { createOutputSource, type OutputPiece, type OutputSource } from "../output/output-source.ts";
import { createWakeup, type Wakeup } from "../output/wakeup.ts";
import type { Child, ChildStart, Connection, SpawnContext } from "../spawn/child.ts";
import { openDescriptorFiles } from "../spawn/descriptor-files.ts";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import type { SpawnFailure } from "../spawn/spawn-failure.ts";
import { spawnTerminal } from "../spawn/spawn-terminal.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import { createLifetime, drainMs, type CommandEnd, type Lifetime } from "./lifetime.ts";

export interface ProcessContext extends Pick<Clock, "elapsed"> {
  /** Measures `timeoutMs`; the system's timers unless given. */
  readonly setTimer?: Clock["setTimer"];
  /** In ms, for the process to end by itself. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
  /** Where a launch's inputs lie for a moment; absolute. */
  readonly stateFolder: string;
  /** Reads process 1 of the tree's own namespace from what the process has reported so far; null: none yet. Absent: there is none. */
  readonly findInit?: (status: string) => number | null;
}

export type ProcessStart = { readonly type: "started"; readonly process: RunningProcess } | SpawnFailure;

/** A process that was started, with all that it starts. */
export interface RunningProcess {
  readonly write: Child["write"];
  readonly resize: Child["resize"];
  /** To be read to its end by one reader. Leaving it early stops the whole tree. */
  readonly output: AsyncGenerator<CommandOutput, ProcessResult>;
}

/** How a process ended. By then nothing of its tree is left. */
export interface ProcessResult extends CommandEnd {
  readonly durationMs: number;
  readonly output: CapturedOutput;
  /** What it reported on the descriptor for that; empty where there is none. */
  readonly status: string;
}

/** What may still be in the pipes when everybody who wrote is gone, in bytes; more comes from one who escaped. */
const pipeRemainderBytes = 1024 * 1024;

/** Starts a process and owns it until nothing of its tree is left. Aborting and time running out stop the whole tree: SIGTERM, 500 ms, SIGKILL. */
export async function startProcess(
  launch: ProcessLaunch,
  connection: Connection,
  context: ProcessContext,
): Promise<ProcessStart> {
  context.watchdog.start();
  const startedAt = context.elapsed();
  const files = openDescriptorFiles(launch, context.stateFolder);
  const start = await connect(launch, connection, { ...context, fds: files.fds });
  if (start.type === "failed") {
    files.close();
    return start;
  }

  const { child } = start;
  const wakeup = createWakeup();
  const source = createOutputSource(child.outputs, wakeup.wake);
  const tree: ProcessTree = {
    leader: child.pid,
    marker: launch.marker,
    findInit: () => context.findInit?.(files.readStatus()) ?? null,
  };
  const forgetInit = launch.reportsStatus ? watchInit(tree, context.watchdog) : () => {};
  const lifetime = createLifetime(child, { ...context, tree, wake: wakeup.wake });
  const capture = createOutputCapture(context.maxOutputBytes);

  async function* output(): AsyncGenerator<CommandOutput, ProcessResult> {
    try {
      for await (const { stream, bytes } of readUntilOver(source, lifetime, wakeup)) {
        capture.write(bytes);
        yield { type: "output", stream, text: bytes.toString() };
      }
      await lifetime.finish();
      const result = { durationMs: context.elapsed() - startedAt, output: capture.read(), status: files.readStatus() };
      return { ...lifetime.end(), ...result };
    } finally {
      await lifetime.finish();
      for (const stream of Object.values(child.outputs)) stream.destroy();
      forgetInit();
      files.close();
      context.watchdog.forget(-child.pid);
    }
  }

  return { type: "started", process: { write: child.write, resize: child.resize, output: output() } };
}

/** How long process 1 of a namespace is not looked for, in ms: most commands have ended by then. */
const initLookMs = 20;

/**
 * Tells the watchdog process 1 of the tree's namespace as soon as that is known: all of the namespace ends with it, whatever its
 * processes did to their groups and environments, or to the launcher. Returns how to forget it.
 */
function watchInit({ findInit }: ProcessTree, watchdog: Watchdog): () => void {
  let init: number | null = null;
  const timer = setInterval(() => {
    init = findInit?.() ?? null;
    if (init === null) return;
    clearInterval(timer);
    watchdog.watch(init);
  }, initLookMs).unref();
  return () => {
    clearInterval(timer);
    if (init !== null) watchdog.forget(init);
  };
}

async function connect(
  launch: ProcessLaunch,
  connection: Connection,
  { fds, signal, watchdog }: SpawnContext & Pick<ProcessContext, "watchdog">,
): Promise<ChildStart> {
  if (connection.type !== "terminal") return watchdog.spawn(launch, connection.type, { fds, signal });
  const start = await spawnTerminal(watchdog.place(launch), connection, fds);
  if (start.type === "started") watchdog.watch(-start.child.pid);
  return start;
}

/**
 * Until the command has ended and its streams too. Where somebody still holds a stream open after everything that could
 * be found was stopped, it is read until it falls silent, but not for ever.
 */
async function* readUntilOver(
  source: OutputSource,
  lifetime: Lifetime,
  wakeup: Wakeup,
): AsyncGenerator<OutputPiece, void> {
  let remainder = pipeRemainderBytes;
  while (remainder > 0) {
    const piece = source.read();
    if (piece !== null) {
      yield piece;
      if (lifetime.isOver()) remainder -= piece.bytes.length;
    } else if (source.ended() && lifetime.end().exit !== null) {
      return;
    } else if (!(await wakeup.wait(lifetime.isOver() ? drainMs : null))) {
      return;
    }
  }
}
