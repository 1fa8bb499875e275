import { constants } from "node:os";
import type { CapturedOutput, CommandOutcome, CommandOutput } from "@unroll/protocol";
import { createLifetime, DRAIN_MS, type CommandEnd, type Lifetime } from "./lifetime.ts";
import { createOutputCapture } from "./output-capture.ts";
import { createOutputSource, type OutputPiece, type OutputSource } from "./output-source.ts";
import { startChild, type ProcessLaunch } from "./start-child.ts";
import { createWakeup, type Wakeup } from "./wakeup.ts";
import type { Watchdog } from "./watchdog.ts";

export interface ProcessContext {
  /** In ms, for the command to end by itself. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** A monotonic clock in ms. */
  readonly now: () => number;
  readonly watchdog: Watchdog;
}

/** What may still be in the pipes when everybody who wrote is gone, in bytes; more comes from one who escaped. */
const PIPE_REMAINDER_BYTES = 1024 * 1024;

/** Runs a process to its end. Leaving the generator early stops its whole tree. */
export async function* runProcess(
  launch: ProcessLaunch,
  context: ProcessContext,
): AsyncGenerator<CommandOutput, CommandOutcome> {
  const startedAt = context.now();
  const capture = createOutputCapture(context.maxOutputBytes);
  if (context.signal.aborted) return { type: "aborted", durationMs: 0, output: capture.read() };

  context.watchdog.start();
  const started = await startChild(launch);
  if (started.type === "failed") return { type: "not_started", message: started.message };

  const { child, pid } = started;
  context.watchdog.watch(pid);
  const wakeup = createWakeup();
  const source = createOutputSource(child, wakeup.wake);
  const tree = { leader: pid, marker: launch.marker };
  const lifetime = createLifetime(child, { ...context, tree, wake: wakeup.wake });
  try {
    for await (const { stream, bytes } of readUntilOver(source, lifetime, wakeup)) {
      capture.write(bytes);
      yield { type: "output", stream, text: bytes.toString() };
    }
  } finally {
    await lifetime.finish();
    child.stdout.destroy();
    child.stderr.destroy();
    context.watchdog.forget(pid);
  }
  return toOutcome(lifetime.end(), { durationMs: context.now() - startedAt, output: capture.read() });
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
  let remainder = PIPE_REMAINDER_BYTES;
  while (remainder > 0) {
    const piece = source.read();
    if (piece !== undefined) {
      yield piece;
      if (lifetime.isOver()) remainder -= piece.bytes.length;
    } else if (source.ended() && lifetime.end().exit !== undefined) {
      return;
    } else if (!(await wakeup.wait(lifetime.isOver() ? DRAIN_MS : undefined))) {
      return;
    }
  }
}

function toOutcome(
  { reason, exit }: CommandEnd,
  result: { readonly durationMs: number; readonly output: CapturedOutput },
): CommandOutcome {
  if (reason !== "exited") return { type: reason, ...result };
  const signal = exit?.signal ?? null;
  const exitCode = exit?.code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  return { type: "exited", exitCode, signal, ...result };
}
