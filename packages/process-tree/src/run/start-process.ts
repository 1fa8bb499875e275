import type { Socket } from "node:net";
import { type Clock, contain } from "@unroll/flow";
import type { CapturedOutput, CommandOutput } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { createOutputCapture } from "../output/output-capture.ts";
import { createOutputSource, type OutputPiece, type OutputSource } from "../output/output-source.ts";
import { createWakeup, type Wakeup } from "../output/wakeup.ts";
import type { Child, ChildStart, Connection, SpawnContext } from "../spawn/child.ts";
import { type DescriptorFiles, openDescriptorFiles } from "../spawn/descriptor-files.ts";
import { awaitListener } from "../spawn/listener.ts";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import type { SpawnFailure } from "../spawn/spawn-failure.ts";
import { spawnTerminal } from "../spawn/spawn-terminal.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import { createLifetime, drainMs, type CommandEnd, type Lifetime } from "./lifetime.ts";

export interface ProcessContext extends Pick<Clock, "elapsed"> {
  /** Times `timeoutMs`. Absent: Node's timers. */
  readonly setTimer?: Clock["setTimer"];
  /** In ms: how long the process may run. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
  /** Absolute path of a folder that holds a launch's inputs for a moment. */
  readonly stateFolder: string;
  /** The same where that is full. Absent: nothing else is tried. */
  readonly spareFolder?: string;
  /**
   * Finds process 1 of the tree's own namespace in what the process has reported so far; null: not
   * yet. Absent: there is no namespace.
   */
  readonly findInit?: (status: string) => number | null;
  /**
   * Gets the connections of the socket that the process hands over, until its tree is gone. Absent:
   * it hands over none.
   */
  readonly accept?: (socket: Socket) => void;
}

export type ProcessStart = { readonly type: "started"; readonly process: RunningProcess } | SpawnFailure;

/** A started process and its tree. */
export interface RunningProcess {
  readonly write: Child["write"];
  readonly resize: Child["resize"];
  /** Read it to its end, once; it returns how the process ended. Leaving it early stops the whole tree. */
  readonly output: AsyncGenerator<CommandOutput, ProcessResult>;
}

/** How a process ended. By then nothing of its tree is left. */
export interface ProcessResult extends CommandEnd {
  readonly durationMs: number;
  readonly output: CapturedOutput;
  /** The report on its status descriptor; empty if it has none. */
  readonly status: string;
}

/**
 * In bytes: how much may remain in the pipes when every writer is gone. More comes from a process
 * that escaped.
 */
const pipeRemainderBytes = 1024 * 1024;

type FilesOpening = { readonly type: "opened"; readonly files: DescriptorFiles } | SpawnFailure;

function openFiles(launch: ProcessLaunch, folders: ProcessContext): FilesOpening {
  try {
    return { type: "opened", files: openDescriptorFiles(launch, folders) };
  } catch (error) {
    return { type: "failed", reason: "other", message: describeThrown(error) };
  }
}

/**
 * Starts a process and owns it until nothing of its tree is left. An abort and a timeout stop the
 * whole tree: SIGTERM, 500 ms, SIGKILL. Never rejects for a program that fails: the result is then
 * `failed`, with `message`.
 */
export async function startProcess(
  launch: ProcessLaunch,
  connection: Connection,
  context: ProcessContext,
): Promise<ProcessStart> {
  context.watchdog.start();
  const startedAt = context.elapsed();
  const opened = openFiles(launch, context);
  if (opened.type === "failed") return opened;
  const { files } = opened;
  const listener = context.accept && awaitListener(context.accept);
  const offering = listener ? { ...launch, takeListener: listener.take } : launch;
  const start = await connect(offering, connection, { ...context, fds: files.fds });
  if (start.type === "failed") {
    files.close();
    listener?.close();
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
      listener?.close();
      context.watchdog.forget(-child.pid);
    }
  }

  return { type: "started", process: { write: child.write, resize: child.resize, output: output() } };
}

/** In ms: process 1 of a namespace is not looked for earlier, because most commands have ended by then. */
const initLookMs = 20;

/**
 * Tells the watchdog process 1 of the tree's namespace as soon as it is known. The whole namespace
 * ends with it, whatever its processes did to their groups, environments or the launcher. Returns a
 * function that makes the watchdog forget it.
 */
function watchInit({ findInit }: ProcessTree, watchdog: Watchdog): () => void {
  let init: number | null = null;
  const look = (): void => {
    init = findInit?.() ?? null;
    if (init === null) return;
    clearInterval(timer);
    watchdog.watch(init);
  };
  // If this fails, the watchdog still finds the tree by its group and its marker.
  const timer = setInterval(
    contain(look, () => {}),
    initLookMs,
  ).unref();
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
  const channel = launch.takeListener ? await watchdog.lendChannel(launch) : null;
  const start = await spawnTerminal(watchdog.place(launch), connection, { fds, channel });
  if (start.type === "started") watchdog.watch(-start.child.pid);
  return start;
}

/**
 * Reads until the command and its streams have ended. If a process that was not found still holds a
 * stream open, reading stops when that falls silent, or after a limit.
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
