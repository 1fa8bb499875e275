import { appendFile, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type BatchOptions,
  type BatchSummary,
  type BatchTask,
  createThreadRunner,
  openBatchJournal,
  parseTasks,
  runBatch,
  type TaskResult,
} from "@unroll/batch";
import { forEach } from "@unroll/flow";
import { createClock, type Host, openHarness, type ResolvedConfig, type ThreadOptions } from "@unroll/harness";
import {
  createHost,
  exitCodes,
  loadProgramConfig,
  needsDemoModel,
  openProgramModel,
  openProgramStore,
  type ProcessIo,
  ProgramError,
  readNamedFile,
  readSeconds,
  toTurnExitCode,
  toUserAgent,
} from "@unroll/program";
import type { BudgetLimits } from "@unroll/protocol";
import { toPriceOf } from "@unroll/use-cases/cache";
import { describeWeakSandbox } from "../describe-weak-sandbox.ts";
import type { ExecOptions } from "../exec-options.ts";
import type { ExecRun } from "../exec-run.ts";
import { createBatchLines, type BatchLines } from "./batch-lines.ts";

/** Runs all tasks of a file; a file beside the results remembers them. Returns the exit code. */
export async function executeBatch(
  options: ExecOptions & { readonly batch: string },
  io: ProcessIo,
  run: ExecRun,
): Promise<number> {
  refuseOthers(options);
  const tasks = parseTasks(await readNamedFile({ flag: "--batch", file: options.batch }, io.cwd), options.batch);
  const taskTimeoutMs = readTimeout(options);
  const host = createHost(io);
  const { maxTurns: _turns, maxTokens: _tokens, maxCost: _cost, maxTime: _time, ...flags } = options;
  const budget = await readLimits(options, host);
  await using model = await openProgramModel(flags, host, { signal: run.interruption.signal, io });
  const { config } = model;
  const weakness = await describeWeakSandbox(config, host);
  for (const notice of [...model.notices, ...(weakness === null ? [] : [weakness])]) await run.output.notice(notice);
  if (config.historyPersistence !== "save-all")
    throw new ProgramError(
      "usage",
      "--batch needs saved threads: without them it could not continue. Set history.persistence to save-all.",
    );
  const store = await openProgramStore(config.codexHome, io);
  await using journal = await openBatchJournal(resolve(io.cwd, `${options.out ?? options.batch}.journal`));
  if (options.out !== undefined && journal.records.size === 0) await refuseOtherResults(options.out, io.cwd);
  await using harness = await openHarness({
    host: { ...host, cwd: config.cwd },
    config,
    store,
    userAgent: toUserAgent("unroll_exec", host),
    ignoreRules: options.ignoreRules ?? false,
  });
  const more = { waitForMcp: options.waitMcp ?? false, allowCacheBreak: options.allowCacheBreak ?? false };
  const runner = createThreadRunner({
    harness,
    store,
    priceOf: toPriceOf(config),
    newId: () => host.newId(),
    toOptions: async (task) => ({ ...(await toThreadOptions(task, { flags, host, config })), ...more }),
  });
  const { jobs: concurrency, failFast = false, onlyFailed = false } = options;
  const summary = await showBatch(
    {
      tasks,
      runner,
      clock: createClock(host),
      journal,
      budget,
      failFast,
      onlyFailed,
      signal: run.interruption.signal,
      ...(concurrency !== undefined && { concurrency }),
      ...(taskTimeoutMs !== null && { taskTimeoutMs }),
    },
    createBatchLines(tasks.length, run.output),
    openResults(options, io, run),
  );
  return toExitCode(summary, run);
}

interface Results {
  /** Replaces what the file has: an earlier process may have been killed while it wrote. */
  begin(results: readonly TaskResult[]): Promise<void>;
  add(result: TaskResult): Promise<void>;
}

async function showBatch(options: BatchOptions, lines: BatchLines, results: Results): Promise<BatchSummary> {
  const summary = await forEach(runBatch(options), async (event) => {
    if (event.type === "batch.started") await results.begin(event.finished);
    if (event.type === "task.ended") await results.add(event.result);
    await lines.show(event);
  });
  await lines.end(summary);
  return summary;
}

function openResults({ out }: ExecOptions, { cwd }: ProcessIo, { output }: ExecRun): Results {
  const toLine = (result: TaskResult): string => `${JSON.stringify(result)}\n`;
  if (out === undefined)
    return {
      async begin(results) {
        for (const result of results) await output.line(toLine(result));
      },
      add: (result) => output.line(toLine(result)),
    };
  const path = resolve(cwd, out);
  return {
    begin: (results) => writeFile(path, results.map(toLine).join("")),
    add: (result) => appendFile(path, toLine(result)),
  };
}

/** A file is replaced only where its journal says that it is this batch's. */
async function refuseOtherResults(out: string, cwd: string): Promise<void> {
  const { size } = await stat(resolve(cwd, out)).catch(() => ({ size: 0 }));
  if (size > 0)
    throw new ProgramError(
      "usage",
      `--out ${out}: the file exists, and ${out}.journal has no task of it. Name another file, or move this one.`,
    );
}

function toExitCode({ failed, stopped }: BatchSummary, { interruption }: ExecRun): number {
  const code = stopped === null ? exitCodes.completed : toTurnExitCode(stopped.code);
  return interruption.exitCode ?? (code === exitCodes.completed && failed > 0 ? exitCodes.failed : code);
}

/** A flag that would do nothing is refused. */
function refuseOthers(options: ExecOptions): void {
  const others = {
    "a prompt": options.prompt,
    resume: options.resume,
    fork: options.fork,
    review: options.review,
    "--image": options.image,
    "--json": options.json,
    "--events-fd": options.eventsFd,
    "--output-last-message": options.outputLastMessage,
    "--output-schema": options.outputSchema,
    "--schema-repairs": options.schemaRepairs,
    "--approvals": options.approvals,
    "--worktree": options.worktree,
    "--ephemeral": options.ephemeral,
  };
  const given = Object.entries(others).filter(([, value]) => value !== undefined && value !== false);
  if (given.length === 0) return;
  const names = given.map(([name]) => name).join(", ");
  throw new ProgramError("usage", `--batch does not work with ${names}: each line of the file is a task of its own.`);
}

function readTimeout({ taskTimeout }: ExecOptions): number | null {
  return taskTimeout === undefined ? null : readSeconds(taskTimeout, "--task-timeout") * 1000;
}

/** The limits of the flags are for all tasks together; those of the config, for each task. */
async function readLimits(options: ExecOptions, host: Host): Promise<Partial<BudgetLimits>> {
  const { maxTurns, maxTokens, maxCost, maxTime } = options;
  const { run } = (await loadProgramConfig(options, host)).budget;
  return {
    ...(maxTurns !== undefined && { maxTurns: run.maxTurns }),
    ...(maxTokens !== undefined && { maxTokens: run.maxTokens }),
    ...(maxCost !== undefined && { maxCost: run.maxCost }),
    ...(maxTime !== undefined && { maxTimeMs: run.maxTimeMs }),
  };
}

interface TaskSource {
  readonly flags: ExecOptions;
  readonly host: Host;
  /** The config of tasks that name nothing of their own. */
  readonly config: ResolvedConfig;
}

async function toThreadOptions(
  { cwd, model, config: keys }: BatchTask,
  { flags, host, config }: TaskSource,
): Promise<ThreadOptions> {
  if (cwd === undefined && model === undefined && keys === undefined) return { config };
  const own = Object.entries(keys ?? {}).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const named = {
    ...flags,
    ...(cwd !== undefined && { cd: resolve(config.cwd, cwd) }),
    ...(model !== undefined && { model }),
    config: [...(flags.config ?? []), ...own],
  };
  const loaded = await loadProgramConfig(named, host);
  if (!(await needsDemoModel(loaded, host))) return { config: loaded };
  return { config: { ...loaded, model: config.model, provider: config.provider, modelFamily: config.modelFamily } };
}
