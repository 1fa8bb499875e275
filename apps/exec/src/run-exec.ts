import { forEach } from "@unroll/flow";
import { HarnessError, openThread, type OpenThreadOptions, type Thread } from "@unroll/harness";
import { scrubInheritedFds } from "@unroll/process-tree";
import type { TurnOutcome } from "@unroll/protocol";
import { createHostEnvironment } from "./create-host-environment.ts";
import { toExecFailure } from "./exec-error.ts";
import type { ExecOptions } from "./exec-options.ts";
import { readInput } from "./input/read-input.ts";
import { readOutputSchema } from "./input/read-output-schema.ts";
import { openExecModel } from "./open-exec-model.ts";
import type { EventPrinter } from "./output/event-printer.ts";
import { createExecOutput, type ExecOutput } from "./output/exec-output.ts";
import { openLastMessageFile } from "./output/last-message-file.ts";
import type { ProcessIo } from "./process-io.ts";
import { type Interruption, watchInterruption } from "./watch-interruption.ts";

/**
 * Runs one task to its end. Returns the exit code: 0 the turn was completed, 1 it failed, 2 the command line, the config
 * or another input is wrong, 128 + N it was stopped by signal N (141: nobody reads stdout).
 */
export async function runExec(options: ExecOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const output = createExecOutput(options, io, interruption);
  try {
    const outcome = await runTask(options, io, { interruption, output });
    return outcome.type === "completed" && !interruption.isOutputBroken ? 0 : (interruption.exitCode ?? 1);
  } catch (error) {
    const failure = toExecFailure(error);
    await output.fail(failure.error);
    if (failure.stack !== undefined) await output.notice(failure.stack);
    return interruption.exitCode ?? failure.exitCode;
  } finally {
    await output.flush();
  }
}

interface ExecSession {
  readonly interruption: Interruption;
  readonly output: ExecOutput;
}

/** Everything that can be wrong with the input is looked at before the first request. */
async function runTask(options: ExecOptions, io: ProcessIo, session: ExecSession): Promise<TurnOutcome> {
  const { interruption, output } = session;
  const host = createHostEnvironment(io);
  scrubInheritedFds(io.env["NODE_CHANNEL_FD"] === undefined ? [] : [Number(io.env["NODE_CHANNEL_FD"])]);
  const schema = options.outputSchema === undefined ? null : await readOutputSchema(options.outputSchema, io.cwd);
  const lastMessage =
    options.outputLastMessage === undefined ? null : await openLastMessageFile(options.outputLastMessage, io.cwd);
  await using model = await openExecModel(options, host);
  const { config } = model;
  const { input, notices } = await readInput(options, io, interruption.signal);
  const printer = output.openPrinter({ cwd: config.cwd, showReasoning: !config.hideAgentReasoning });
  const threadOptions = {
    host: { ...host, cwd: config.cwd },
    config,
    userAgent: model.userAgent,
    waitForMcp: options.waitMcp ?? false,
    signal: interruption.signal,
  };
  await using thread = await openToldThread(threadOptions, printer);

  for (const notice of [...model.notices, ...notices]) await output.notice(notice);
  if (!options.skipGitRepoCheck && config.projectRoot === null) await output.notice(noRepositoryNotice);

  const turn = thread.run(input, { signal: interruption.signal, ...(schema ? { outputSchema: schema } : {}) });
  const outcome = await forEach(turn, (event) => printer.print(event));
  if (outcome.type === "completed") await lastMessage?.write(outcome.finalMessage ?? "");
  return outcome;
}

/** A thread that cannot be opened, too, tells what happened. */
async function openToldThread(options: OpenThreadOptions, printer: EventPrinter): Promise<Thread> {
  try {
    return await openThread(options);
  } catch (error) {
    if (error instanceof HarnessError) for (const event of error.events) await printer.print(event);
    throw error;
  }
}

const noRepositoryNotice =
  "This folder is not in a git repository, so git cannot undo what is changed here (--skip-git-repo-check: no such notice).";
