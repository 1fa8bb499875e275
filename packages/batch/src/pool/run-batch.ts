import { type Clock, createEventQueue } from "@unroll/flow";
import { createBudget } from "@unroll/harness";
import { addTokenUsage, type BudgetLimits, noTokenUsage } from "@unroll/protocol";
import type { BatchJournal } from "../journal/batch-journal.ts";
import type { BatchTask, TaskResult } from "../task/batch-task.ts";
import type { TaskRunner } from "../task/task-runner.ts";
import type { BatchEvent, BatchSummary } from "./batch-event.ts";
import { createCacheShards } from "./cache-shards.ts";
import { planBatch } from "./plan-batch.ts";
import { createProviderGate } from "./provider-gate.ts";
import { type BatchRoom, type RanTask, runTask } from "./run-task.ts";

/** The options of a batch. */
export interface BatchOptions {
  readonly tasks: readonly BatchTask[];
  readonly runner: TaskRunner;
  readonly clock: Clock;
  /** Absent: nothing is remembered for another process. */
  readonly journal?: BatchJournal;
  /** How many tasks run at once; default 8. */
  readonly concurrency?: number;
  /** Limits for all tasks together, what earlier processes spent included. */
  readonly budget?: Partial<BudgetLimits>;
  /** Limits for each task. */
  readonly taskBudget?: Partial<BudgetLimits>;
  /** In ms, for each task; pauses do not count. Absent: no limit. */
  readonly taskTimeoutMs?: number;
  /** Ends the batch at the first task that fails. */
  readonly failFast?: boolean;
  /** Runs only tasks whose last result is `failed`, in new threads. */
  readonly onlyFailed?: boolean;
  /** Ends the batch; running tasks are continued by the next start. */
  readonly signal?: AbortSignal;
}

/** Events may wait for their reader up to this number, before tasks wait too. */
const waitingEvents = 1000;

/**
 * Runs tasks, several at once, until none is left, the budget is used up or something stops it.
 * Yields events as they happen and returns a summary. Leaving the loop early ends the batch.
 */
export async function* runBatch(options: BatchOptions): AsyncGenerator<BatchEvent, BatchSummary> {
  const each = { limits: options.taskBudget ?? {}, timeoutMs: options.taskTimeoutMs ?? null };
  const { tasks, runner, clock, journal, concurrency = 8, budget: limits = {}, failFast = false } = options;
  const plan = planBatch(tasks, journal ?? null, options.onlyFailed ?? false);
  const budget = createBudget({ clock, limits, of: "batch", spent: { turns: 0, ...plan.spent } });
  const queue = createEventQueue<BatchEvent>(waitingEvents);
  const stop = new AbortController();
  const tell = (event: BatchEvent): Promise<void> => {
    if (event.type === "task.ended" || (event.type === "task.event" && event.event.type === "request.completed"))
      warm.resolve();
    return queue.push(event);
  };
  const gate = createProviderGate(clock, (pause) => {
    tell(pause === null ? { type: "batch.continued" } : { type: "batch.paused", pause }).catch(() => {}); // a queue never rejects
  });
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const shards = createCacheShards(clock);
  const warm = Promise.withResolvers<void>();
  const room: BatchRoom = { runner, clock, journal: journal ?? null, budget, gate, shards, signal, tell, ...each };
  const results = new Map<string, TaskResult>(plan.finished.map((result) => [result.id, result]));
  let stopped: BatchSummary["stopped"] = null;
  const next = plan.pending.values();

  function settle({ task, ran }: { readonly task: BatchTask; readonly ran: RanTask }): void {
    if (ran.type === "left") return;
    if (ran.type === "stopped") {
      stopped ??= ran.error;
      return stop.abort();
    }
    results.set(task.id, ran.result);
    if (!failFast || ran.result.status === "completed") return;
    stopped ??= { code: "task_failed", message: `The task ${task.id} failed, and --fail-fast ends the batch.` };
    stop.abort();
  }

  async function work(): Promise<void> {
    for (const { task, begun } of next) {
      if (signal.aborted) return;
      settle({ task, ran: await runTask(task, begun, room) });
    }
  }

  async function workAll(): Promise<void> {
    try {
      const first = work();
      await Promise.race([warm.promise, first]); // then the provider has the beginning of all requests in its cache
      const others = Math.min(concurrency, plan.pending.length) - 1;
      await Promise.all([first, ...Array.from({ length: Math.max(0, others) }, work)]);
    } finally {
      stop.abort();
      queue.close();
    }
  }

  yield { type: "batch.started", tasks: tasks.length, finished: plan.finished, changed: plan.changed };
  const working = workAll();
  working.catch(() => {}); // it is awaited below
  try {
    yield* queue.events();
  } finally {
    stop.abort();
    await working;
  }
  const ended = [...results.values()];
  const usage = ended.map((result) => result.usage).reduce(addTokenUsage, noTokenUsage);
  const completed = ended.filter(({ status }) => status === "completed").length;
  const failed = ended.length - completed;
  return {
    completed,
    failed,
    left: tasks.length - ended.length,
    cost: budget.spent.cost,
    usage,
    saved: sumSaved(ended),
    stopped,
  };
}

/** Null: the price of no task is known. */
function sumSaved(results: readonly TaskResult[]): number | null {
  const known = results.flatMap(({ cost, uncached_cost: uncached }) =>
    cost === null || uncached === null ? [] : [uncached - cost],
  );
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}
