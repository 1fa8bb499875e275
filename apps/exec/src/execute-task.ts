import { resolve } from "node:path";
import { forEach } from "@unroll/flow";
import type { CallGate, Host, OpenThreadOptions, ResolvedConfig, Thread } from "@unroll/harness";
import type { JsonSchema, TurnOutcome } from "@unroll/protocol";
import { scrubInheritedFds } from "@unroll/process-tree";
import {
  createHost,
  exitCodes,
  findThreadId,
  loadProgramConfig,
  openProgramModel,
  openProgramStore,
  openProgramThread,
  type ProcessIo,
  ProgramError,
  readNamedFile,
  toProgramFailure,
  toTurnExitCode,
  toUserAgent,
  watchInterruption,
} from "@unroll/program";
import { createPlanGate, readPlanMode, savePlanMode, toPlanInput } from "@unroll/use-cases/plan";
import { readApprovalChannel } from "./approval/approval-channel.ts";
import { createApprovalDesk } from "./approval/approval-desk.ts";
import type { ExecOptions } from "./exec-options.ts";
import type { ExecRun } from "./exec-run.ts";
import { readInput } from "./input/read-input.ts";
import { createExecOutput } from "./output/exec-output.ts";
import { openEventStream } from "./output/open-event-stream.ts";
import { openLastMessageFile } from "./output/last-message-file.ts";
import { describeWeakSandbox, type SandboxNotice } from "./describe-weak-sandbox.ts";
import { createRefusalNotices } from "./explain-refusals.ts";
import { createSandboxWatch } from "./sandbox-watch.ts";
import { createAgentGuard, describeStopped } from "./wait-for-agents.ts";

/** As `runExec` says. */
export async function executeTask(options: ExecOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const output = createExecOutput(options, io, interruption);
  try {
    const run = { interruption, output };
    const { batch } = options;
    if (batch !== undefined) {
      const { executeBatch } = await import("./batch/execute-batch.ts");
      return await executeBatch({ ...options, batch }, io, run);
    }
    refuseBatchFlags(options);
    const outcome = await (options.worktree ? runInWorktree : runTask)(options, io, run);
    if (outcome.type === "completed" && !interruption.isOutputBroken) return exitCodes.completed;
    const code = outcome.type === "failed" ? toTurnExitCode(outcome.error.code) : exitCodes.failed;
    return interruption.exitCode ?? code;
  } catch (error) {
    const failure = toProgramFailure(error);
    await output.fail(failure.error);
    if (failure.stack !== null) await output.notice(failure.stack);
    return interruption.exitCode ?? failure.exitCode;
  } finally {
    await output.flush();
  }
}

/** A flag that would do nothing is refused. */
function refuseBatchFlags({ jobs, out, taskTimeout, failFast, onlyFailed }: ExecOptions): void {
  if ([jobs, out, taskTimeout, failFast, onlyFailed].every((value) => value === undefined)) return;
  throw new ProgramError("usage", "--jobs, --out, --task-timeout, --fail-fast and --only-failed need --batch FILE.");
}

/** As `runTask`, in a work tree that is there for this run. */
async function runInWorktree(options: ExecOptions, io: ProcessIo, run: ExecRun): Promise<TurnOutcome> {
  if (options.resume !== undefined || options.fork !== undefined || options.review !== undefined)
    throw new ProgramError(
      "usage",
      "--worktree only works with a new task: a resumed thread or a review uses its own folder.",
    );
  const { openRunWorktree } = await import("./open-run-worktree.ts");
  const config = await loadProgramConfig(options, createHost(io));
  const worktree = await openRunWorktree(config, io, io.newId());
  try {
    await run.output.notice(`worktree: ${worktree.tree} on branch ${worktree.branch}`);
    if (worktree.leftOut !== null) await run.output.notice(worktree.leftOut);
    // it is the same project, so it is trusted as much
    const trust = config.projectTrust === "trusted";
    return await runTask({ ...options, cd: worktree.folder, trust }, io, run);
  } finally {
    await run.output.notice((await worktree.close()).message);
  }
}

/** Everything that can be wrong with the input is looked at before the first request. */
async function runTask(options: ExecOptions, io: ProcessIo, run: ExecRun): Promise<TurnOutcome> {
  const { interruption, output } = run;
  const host = createHost(io);
  // Before the scrubbing: the file may be an inherited one, a shell's `<(…)`.
  const schema = await readSchema(options, io.cwd);
  const channel = readApprovalChannel(options);
  if (options.eventsFd !== undefined) output.alsoTell(openEventStream(options.eventsFd));
  scrubInheritedFds(io.env["NODE_CHANNEL_FD"] === undefined ? [] : [Number(io.env["NODE_CHANNEL_FD"])]);
  const lastMessage =
    options.outputLastMessage === undefined ? null : await openLastMessageFile(options.outputLastMessage, io.cwd);
  await using model = await openProgramModel(options, host, { signal: interruption.signal, io });
  const { config } = model;
  if (schema !== null) await checkSchemaFile(resolve(io.cwd, schema.file), config);
  const task = await readInput(options, { io, config, signal: interruption.signal });
  const view = { cwd: config.cwd, showReasoning: !config.hideAgentReasoning };
  const printer = output.openPrinter(view, task.toAnswer);
  const desk = await createApprovalDesk(channel, () => ({
    answers: io.stdin.stream,
    write: (line) => output.line(line),
    complain: (text) => output.complain(text),
  }));
  // the program that answers may let commands run outside of the sandbox
  let weakness: SandboxNotice | null = null;
  const sandboxWatch = channel === "stdio" ? null : createSandboxWatch({ noticed: () => weakness?.refusal ?? null });
  let isPlanning = false;
  let opened: Thread | null = null;
  const threadOptions = {
    host: { ...host, cwd: config.cwd },
    config,
    gate: (own: CallGate) => createPlanGate(own, () => isPlanning),
    ...createModelLoaders(options, host),
    userAgent: toUserAgent("unroll_exec", host),
    waitForMcp: options.waitMcp ?? false,
    reportSandbox: true,
    signal: interruption.signal,
    ignoreRules: options.ignoreRules ?? false,
    allowCacheBreak: options.allowCacheBreak ?? false,
    ...desk,
    guards: [
      ...(desk.guards ?? []),
      ...(sandboxWatch === null ? [] : [sandboxWatch.guard]),
      ...(options.stopAgents ? [] : [createAgentGuard(() => opened)]),
    ],
    ...(await openStoreOptions(options, config, io)),
  };
  await using thread = await openProgramThread(threadOptions, (event) => printer.print(event)).catch(
    (error: unknown) => {
      // the prompt may have been read as the id: that hint is in the other error
      const isMissing = error instanceof Error && Reflect.get(error, "code") === "thread_missing";
      throw isMissing ? (task.missing ?? error) : error;
    },
  );
  opened = thread;
  if (task.missing !== undefined && thread.waitingCalls.length === 0) throw task.missing;
  isPlanning = readPlanMode(thread) !== null;
  if (!isPlanning) savePlanMode(thread.notes, null);
  await output.notice(describeRun(thread, isPlanning));
  weakness = await describeWeakSandbox(thread.sandbox);
  if (weakness !== null) await output.notice(weakness.text);

  const notices = [...model.notices, ...task.notices, ...listUnused(options), ...listMissing(options, config)];
  for (const notice of notices) await output.notice(notice);

  const schemaRepairs = options.schemaRepairs ?? task.schemaRepairs;
  const outputSchema = task.outputSchema ?? schema?.value ?? null;
  const input = isPlanning && task.missing === undefined ? toPlanInput(task.input) : task.input;
  const turn = thread.run(input, {
    signal: interruption.signal,
    ...(outputSchema === null ? {} : { outputSchema }),
    ...(schemaRepairs === undefined ? {} : { schemaRepairs }),
  });
  const explainRefusal = options.review === undefined ? createRefusalNotices() : null; // a review only reads
  const outcome = await forEach(turn, async (event) => {
    const shown = sandboxWatch?.see(event) ?? event;
    await printer.print(options.json ? event : shown);
    const notice = explainRefusal?.(event, { config: thread.config, isPlanning }) ?? null;
    if (notice !== null) await output.notice(notice);
  });
  for (const notice of describeStopped(thread)) await output.notice(notice);
  if (outcome.type === "completed") await lastMessage?.write(outcome.finalMessage ?? "");
  return outcome;
}

function createModelLoaders(flags: ExecOptions, host: Host): Pick<OpenThreadOptions, "loadModel" | "loadAgentModel"> {
  return {
    async loadModel(opened, now) {
      const { loadThreadModel } = await import("@unroll/use-cases/models");
      return loadThreadModel(opened, { flags, host, now });
    },
    async loadAgentModel(named, now) {
      const { loadOtherModel } = await import("@unroll/use-cases/models");
      return loadOtherModel(named, { flags, host, now });
    },
  };
}

/** Throws `ProgramError` or `HarnessError` that name the file and the place in it. */
async function readSchema(
  { outputSchema: file }: ExecOptions,
  cwd: string,
): Promise<{ readonly value: JsonSchema; readonly file: string } | null> {
  if (file === undefined) return null;
  const { parseOutputSchema } = await import("@unroll/harness");
  return { value: parseOutputSchema(await readNamedFile({ flag: "--output-schema", file }, cwd), file), file };
}

/** The schema goes to the model. Throws `ProgramError` for a file that no prompt may have. */
async function checkSchemaFile(path: string, config: ResolvedConfig): Promise<void> {
  const { openPromptFiles } = await import("@unroll/harness");
  const read = await (await openPromptFiles(config)).read(path, 0);
  if (read.type === "refused")
    throw new ProgramError("input", `--output-schema: ${path} ${read.reason}: it was not used.`);
}

/** Programs look for the id behind these words. */
function describeRun({ id, config }: Pick<Thread, "id" | "config">, isPlanning: boolean): string {
  const { model, provider, cwd, sandboxSettings } = config;
  const sandbox = isPlanning ? "plan mode: read-only" : sandboxSettings.mode;
  return `session id: ${id} · ${model} (${provider.name}) · ${sandbox} · ${cwd}`;
}

function listMissing({ skipGitRepoCheck }: ExecOptions, { projectRoot }: ResolvedConfig): readonly string[] {
  return !skipGitRepoCheck && projectRoot === null ? [noRepositoryNotice] : [];
}

function listUnused(options: ExecOptions): readonly string[] {
  const flags = {
    "--thread-source": options.threadSource,
    "--cyber-access-program": options.cyberAccessProgram,
    "--dangerously-bypass-hook-trust": options.dangerouslyBypassHookTrust,
    "--title": options.title,
  };
  const unused = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [`${flag} has no effect here.`],
  );
  return options.approveForMe ? [...unused, noReviewNotice] : unused;
}

const noReviewNotice =
  "--approve-for-me: unroll has no automatic review. Requests for approval are answered as --approvals says: without it, they are denied.";

type StoreOptions = Pick<OpenThreadOptions, "ephemeral" | "store" | "resume" | "fork">;

async function openStoreOptions(
  { ephemeral: isEphemeral = false, resume, fork, all = false, ...flags }: ExecOptions,
  { historyPersistence, codexHome, cwd }: ResolvedConfig,
  io: ProcessIo,
): Promise<StoreOptions> {
  const ephemeral = isEphemeral || historyPersistence !== "save-all";
  const name = fork?.id ?? resume ?? null;
  if (ephemeral && name === null) return { ephemeral };
  const store = await openProgramStore({ ...flags, codexHome }, io);
  if (name === null) return { ephemeral, store };
  const id = name === "last" && !all ? name : await findThreadId(store, { name, cwd, all }); // the harness finds the last one of a folder
  return { ephemeral, store, ...(fork === undefined ? { resume: id } : { fork: { ...fork, id } }) };
}

const noRepositoryNotice =
  "This folder is not in a git repository, so git cannot undo changes here (--skip-git-repo-check hides this notice).";
