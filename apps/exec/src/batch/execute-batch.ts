import { appendFile, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type BatchEvent,
  type BatchOptions,
  type BatchSummary,
  type BatchTask,
  estimateLeastCost,
  openBatchJournal,
  parseTasks,
  runBatch,
  type TaskResult,
} from "@unroll/batch";
import { forEach } from "@unroll/flow";
import type { Host } from "@unroll/harness";
import {
  createHost,
  exitCodes,
  loadProgramConfig,
  type ProcessIo,
  ProgramError,
  readNamedFile,
  readSeconds,
  toTurnExitCode,
} from "@unroll/program";
import type { BudgetLimits } from "@unroll/protocol";
import type { ExecOptions } from "../exec-options.ts";
import type { ExecRun } from "../exec-run.ts";
import { createBatchLines, type BatchLines, toDollars } from "./batch-lines.ts";
import { type LiveTable, openLiveTable } from "./live-table.ts";
import { openTaskProgram, type TaskProgram } from "./open-task-program.ts";

/** Runs all tasks of a file; a file beside the results remembers them. Returns the exit code. */
export async function executeBatch(
  options: ExecOptions & { readonly batch: string },
  io: ProcessIo,
  run: ExecRun,
): Promise<number> {
  refuseOthers(options);
  const tasks = parseTasks(await readNamedFile({ flag: "--batch", file: options.batch }, io.cwd), options.batch);
  refuseResumedWorktrees(tasks, options);
  const taskTimeoutMs = readTimeout(options);
  const { maxTurns: _turns, maxTokens: _tokens, maxCost: _cost, maxTime: _time, ...flags } = options;
  const budget = await readLimits(options, createHost(io));
  await using program = await openTaskProgram(flags, io, { ...run, what: "--batch" });
  await using journal = await openBatchJournal(resolve(io.cwd, `${options.out ?? options.batch}.journal`));
  if (options.out !== undefined && journal.records.size === 0) await refuseOtherResults(options.out, io.cwd);
  const estimate = await estimateCost(
    tasks.filter(({ id }) => !journal.records.get(id)?.result),
    program,
  );
  if (estimate !== null) await run.output.notice(estimate);
  const { runner, clock } = program;
  const { jobs: concurrency, failFast = false, onlyFailed = false } = options;
  const summary = await showBatch(
    {
      tasks,
      runner,
      clock,
      journal,
      budget,
      failFast,
      onlyFailed,
      signal: run.interruption.signal,
      ...(concurrency !== undefined && { concurrency }),
      ...(taskTimeoutMs !== null && { taskTimeoutMs }),
    },
    {
      lines: createBatchLines(tasks.length, run.output),
      table: options.quiet ? null : openLiveTable(tasks.length, io),
    },
    openResults(options, io, run),
  );
  return toExitCode(summary, run);
}

/** A line for the user; null: the price is unknown, or nothing is left. */
async function estimateCost(tasks: readonly BatchTask[], program: TaskProgram): Promise<string | null> {
  const { config, harness, priceOf, threadOptions: options } = program;
  const price = priceOf({ model: config.model, provider: config.provider.id, serviceTier: config.serviceTier });
  if (price === null || tasks.length === 0) return null;
  const cost = await estimateLeastCost(harness, { tasks, options, price });
  return `estimate: at least ${toDollars(cost)}, for one request a task; most tasks need several`;
}

interface Results {
  /** Replaces what the file has: an earlier process may have been killed while it wrote. */
  begin(results: readonly TaskResult[]): Promise<void>;
  add(result: TaskResult): Promise<void>;
}

interface BatchView {
  readonly lines: BatchLines;
  /** Null: there is no terminal, or only errors are shown. */
  readonly table: LiveTable | null;
}

async function showBatch(options: BatchOptions, { lines, table }: BatchView, results: Results): Promise<BatchSummary> {
  const show = async (event: BatchEvent): Promise<void> => {
    if (event.type === "batch.started") await results.begin(event.finished);
    if (event.type === "task.ended") await results.add(event.result);
    await lines.show(event);
  };
  try {
    const summary = await forEach(runBatch(options), async (event) => {
      table?.see(event);
      const isShown = event.type !== "task.event" || event.event.type === "warning";
      if (table === null || !isShown) await show(event);
      else await table.above(() => show(event));
    });
    table?.end();
    await lines.end(summary);
    return summary;
  } finally {
    table?.end();
  }
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
    "--ephemeral": options.ephemeral,
  };
  const given = Object.entries(others).filter(([, value]) => value !== undefined && value !== false);
  if (given.length === 0) return;
  const names = given.map(([name]) => name).join(", ");
  throw new ProgramError("usage", `--batch does not work with ${names}: each line of the file is a task of its own.`);
}

function refuseResumedWorktrees(tasks: readonly BatchTask[], { worktree }: ExecOptions): void {
  const resumed = worktree ? tasks.find(({ resume }) => resume !== undefined) : undefined;
  if (resumed === undefined) return;
  throw new ProgramError(
    "usage",
    `--worktree only works with new tasks, and ${resumed.id} resumes a thread, which uses its own folder.`,
  );
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
