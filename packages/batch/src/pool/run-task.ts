import type { Clock } from "@unroll/flow";
import type { Budget } from "@unroll/harness";
import { type BudgetLimits, noTokenUsage, type TurnError } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { BatchJournal } from "../journal/batch-journal.ts";
import type { BatchTask, TaskOutcome, TaskResult } from "../task/batch-task.ts";
import type { TaskQuestions, TaskRunner, TaskThread } from "../task/task-runner.ts";
import type { TaskEvent } from "./batch-event.ts";
import type { CacheShards } from "./cache-shards.ts";
import { isFinal, type ProviderGate } from "./provider-gate.ts";

/** The parts that all tasks share. */
export interface BatchRoom {
  readonly runner: TaskRunner;
  readonly clock: Clock;
  readonly journal: Pick<BatchJournal, "began" | "ended"> | null;
  readonly budget: Budget;
  readonly gate: ProviderGate;
  readonly shards: CacheShards;
  readonly signal: AbortSignal;
  /** Absent: questions are denied. */
  readonly questions?: TaskQuestions;
  readonly tell: (event: TaskEvent) => Promise<void>;
  /** For each task. */
  readonly limits: Partial<BudgetLimits>;
  /** In ms, for each task; null: no limit. */
  readonly timeoutMs: number | null;
}

/** How a task's run ended. */
export type RanTask =
  | { readonly type: "ended"; readonly result: TaskResult }
  /** The batch ends; the task stays for the next start. */
  | { readonly type: "stopped"; readonly error: Pick<TurnError, "code" | "message"> }
  | { readonly type: "left" };

/** Runs a task, again after each pause of the batch, until it ends or the batch does. */
export async function runTask(task: BatchTask, begun: TaskThread | null, room: BatchRoom): Promise<RanTask> {
  const { clock, budget, gate, signal, tell, journal, limits } = room;
  const own = budget.child(limits, "task");
  const since = clock.elapsed();
  let thread = begun;
  let isPaid = begun === null;
  using shard = room.shards.join();
  await tell({ type: "task.started", task, isContinued: begun !== null });

  const attempt = (timeUp: AbortSignal): Promise<TaskOutcome> =>
    room.runner.run(task, {
      signal: AbortSignal.any([signal, timeUp]),
      budget: own,
      begun: thread,
      isPaid,
      cacheShard: shard.number,
      questions: room.questions ?? null,
      async begin(opened) {
        thread = opened;
        isPaid = true;
        await journal?.began(task, opened);
      },
      beforeRequest: (aborted) => gate.pass(task.id, aborted),
      tell(event) {
        gate.see(task.id, event);
        if (event.type === "request.started") shard.count();
        return tell({ type: "task.event", task, event });
      },
    });

  for (;;) {
    const outcome = await limitTime(attempt, room);
    isPaid = true;
    gate.leave(task.id);
    if (signal.aborted && outcome.status === "failed") return { type: "left" };
    const { error } = outcome;
    if (error !== null && (isFinal(error) || error.budget?.of === "batch")) return { type: "stopped", error };
    if (error !== null && gate.close(error)) continue;
    const result = toResult(task, outcome, { thread, durationMs: Math.round(clock.elapsed() - since) });
    await journal?.ended(task, result);
    await tell({ type: "task.ended", task, result });
    return { type: "ended", result };
  }
}

/** An error that only this task has fails it alone. */
async function limitTime(
  attempt: (timeUp: AbortSignal) => Promise<TaskOutcome>,
  { clock, timeoutMs }: BatchRoom,
): Promise<TaskOutcome> {
  const timeUp = new AbortController();
  const stopTimer = timeoutMs === null ? null : clock.setTimer(timeoutMs, () => timeUp.abort());
  try {
    const outcome = await attempt(timeUp.signal);
    if (outcome.error === null || !timeUp.signal.aborted) return outcome;
    const message = `The task took longer than ${(timeoutMs ?? 0) / 1000} s (--task-timeout).`;
    return { ...outcome, error: { code: "task_timeout", message } };
  } catch (error) {
    return toFailure(error);
  } finally {
    stopTimer?.();
  }
}

function toFailure(error: unknown): TaskOutcome {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
  const failure = { code: typeof code === "string" ? code : "internal_error", message: describeThrown(error) };
  const nothing = {
    finalMessage: null,
    value: null,
    usage: noTokenUsage,
    cost: null,
    uncachedCost: null,
    changes: null,
  };
  return { status: "failed", ...nothing, error: failure };
}

function toResult(
  { id }: BatchTask,
  { status, finalMessage, value, usage, cost, uncachedCost, changes, error }: TaskOutcome,
  { thread, durationMs }: { readonly thread: TaskThread | null; readonly durationMs: number },
): TaskResult {
  return {
    id,
    thread_id: thread?.threadId ?? null,
    status,
    final_message: finalMessage,
    value,
    usage,
    cost,
    uncached_cost: uncachedCost,
    duration_ms: durationMs,
    worktree: changes?.worktree ?? null,
    branch: changes?.branch ?? null,
    diff: changes?.diff ?? null,
    ...(changes?.isLost && { lost_changes: true }),
    error,
  };
}
