import type { WorkerEvent, WorkerSummary } from "@unroll/queue";
import { forEach } from "@unroll/flow";
import {
  exitCodes,
  type ProcessIo,
  readSeconds,
  toProgramFailure,
  toTurnExitCode,
  watchInterruption,
} from "@unroll/program";
import { type BatchLines, createBatchLines } from "../batch/batch-lines.ts";
import { openTaskProgram } from "../batch/open-task-program.ts";
import type { ExecRun } from "../exec-run.ts";
import { createExecOutput } from "../output/exec-output.ts";
import type { WorkerFlags } from "./define-worker-command.ts";
import { openNamedQueue } from "./open-named-queue.ts";

/**
 * Runs tasks of a queue until SIGTERM or ^C: then it starts no task, and running ones have 20 s to end before they go back. A second
 * signal ends the process; other workers continue its tasks. Returns the exit code: 0 if it was asked to stop.
 */
export async function runQueueWorker(flags: WorkerFlags, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const { approvals: _approvals, ...shown } = flags;
  const output = createExecOutput(shown, io, interruption);
  try {
    const { stopped } = await work(flags, io, { interruption, output });
    return stopped === null ? exitCodes.completed : toTurnExitCode(stopped.code);
  } catch (error) {
    const failure = toProgramFailure(error);
    await output.fail(failure.error);
    return failure.exitCode;
  } finally {
    await output.flush();
  }
}

async function work({ approvals, ...flags }: WorkerFlags, io: ProcessIo, run: ExecRun): Promise<WorkerSummary> {
  const { library, place, host } = await openNamedQueue(flags, io);
  const { jobs, taskTimeout, rate } = flags;
  await using program = await openTaskProgram(flags, io, {
    ...run,
    what: "A worker",
    holder: `queue ${place.name ?? "unroll"}`,
  });
  const { runner, clock } = program;
  const worker = library.runWorker({
    ...place,
    host,
    runner,
    clock,
    drain: run.interruption.signal,
    waitsForAnswers: approvals === "wait",
    ...(jobs !== undefined && { concurrency: jobs }),
    ...(taskTimeout !== undefined && { taskTimeoutMs: readSeconds(taskTimeout, "--task-timeout") * 1000 }),
    ...(rate !== undefined && { rate }),
  });
  const lines = createBatchLines(null, run.output);
  const summary = await forEach(worker, (event) => show(event, run, lines));
  if (summary.stopped !== null) await run.output.complain(summary.stopped.message);
  const { completed, failed, returned } = summary;
  await run.output.notice(`worker: ${completed} completed, ${failed} failed, ${returned} returned to the queue`);
  return summary;
}

async function show(event: WorkerEvent, { output }: ExecRun, lines: BatchLines): Promise<void> {
  switch (event.type) {
    case "worker.started":
      return output.notice("worker: takes tasks; ^C ends it when the running ones have ended");
    case "worker.draining":
      return output.notice(`worker: takes no more tasks; ${event.running} still running`);
    case "worker.disturbed":
      return output.complain(`The queue: ${event.message}`);
    case "task.returned":
      return output.notice(`↩ ${event.taskId} goes back to the queue: ${event.reason}`);
    case "task.started":
    case "task.event":
      return;
    case "task.ended":
    case "batch.paused":
    case "batch.continued":
      return lines.show(event);
  }
}
