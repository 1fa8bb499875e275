import { accountThread, type PriceOf } from "@unroll/accounting";
import { forEach } from "@unroll/flow";
import type { Harness, Thread, ThreadOptions } from "@unroll/harness";
import {
  type JournalEntry,
  listStoredTurns,
  noTokenUsage,
  type StoredThread,
  type ThreadStore,
  type TokenUsage,
  type TurnOutcome,
} from "@unroll/protocol";
import type { BatchTask, TaskOutcome } from "./batch-task.ts";
import type { TaskContext, TaskRunner, TaskThread } from "./task-runner.ts";

/** The parts of a runner. */
export interface ThreadRunnerOptions {
  readonly harness: Pick<Harness, "openThread" | "resumeThread">;
  /** The harness's store: a task that was cut off continues from it. */
  readonly store: ThreadStore;
  readonly priceOf: PriceOf;
  /** The id of a new thread: a UUID of version 7. */
  readonly newId: () => string;
  /** The options of a task's thread. Absent: its `cwd` and `model` only. */
  readonly toOptions?: (task: BatchTask) => Promise<ThreadOptions>;
}

/** Runs each task as one turn of a thread of its own. */
export function createThreadRunner({ harness, toOptions, ...place }: ThreadRunnerOptions): TaskRunner {
  const { store, priceOf } = place;

  async function runThread(task: BatchTask, found: FoundThread, context: TaskContext): Promise<TurnOutcome> {
    const own = (await toOptions?.(task)) ?? toSettings(task);
    const guards = [...(own.guards ?? []), createPause(context)];
    const options = { ...own, guards, budget: context.budget, signal: context.signal };
    await using thread =
      found.stored === null
        ? await harness.openThread({ ...options, id: found.threadId })
        : await harness.resumeThread(found.threadId, options);
    return await runTurn(thread, task, { context, isBegun: found.end !== null });
  }

  return {
    async run(task, context) {
      const found = await findThread(task, context.begun, place);
      if (context.begun === null) await context.begin({ threadId: found.threadId, turns: found.turns });
      const before = sumUse(found.stored?.entries ?? [], found.turns, priceOf);
      const tokens = before.usage.input_tokens + before.usage.output_tokens;
      if (!context.isPaid) context.budget.spend({ turns: before.requests, tokens, cost: before.cost ?? 0 });
      const outcome = found.end?.type === "completed" ? found.end : await runThread(task, found, context);
      const stored = await loadIfAny(store, found.threadId);
      return toOutcome(task, outcome, sumUse(stored?.entries ?? [], found.turns, priceOf));
    },
  };
}

interface FoundThread extends TaskThread {
  /** Null: the store has none. */
  readonly stored: StoredThread | null;
  /** How the task's turn ended in an earlier process; `interrupted` for one that was cut off; null: it had not begun. */
  readonly end: TurnOutcome | null;
}

/** A thread without a turn is not in the store: it starts again under the same id. */
async function findThread(
  { resume }: BatchTask,
  begun: TaskThread | null,
  { store, newId }: Pick<ThreadRunnerOptions, "store" | "newId">,
): Promise<FoundThread> {
  const threadId = begun?.threadId ?? resume ?? null;
  if (threadId === null) return { threadId: newId(), turns: 0, stored: null, end: null };
  const stored = resume === undefined ? await loadIfAny(store, threadId) : await store.load(threadId);
  if (stored === null) return { threadId, turns: 0, stored, end: null };
  const turns = begun?.turns ?? listStoredTurns(stored.entries).length;
  return { threadId: stored.threadId, turns, stored, end: readEnd(stored, turns) };
}

async function loadIfAny(store: ThreadStore, threadId: string): Promise<StoredThread | null> {
  try {
    return await store.load(threadId);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "thread_missing") return null;
    throw error;
  }
}

function readEnd({ entries }: StoredThread, turns: number): TurnOutcome | null {
  const last = listStoredTurns(entries).slice(turns).at(-1);
  if (last === undefined) return null;
  const end = entries.findLast((entry) => entry.type === "turn.ended" && entry.turnId === last.id);
  return end?.type === "turn.ended" ? end.outcome : { type: "interrupted", usage: noTokenUsage };
}

interface TaskUse {
  readonly usage: TokenUsage;
  readonly cost: number | null;
  readonly requests: number;
}

/** The usage of the task in all processes, by the thread's journal from its first turn on. */
function sumUse(entries: readonly JournalEntry[], turns: number, priceOf: PriceOf): TaskUse {
  const first = listStoredTurns(entries).at(turns);
  const account = accountThread(first === undefined ? [] : entries.slice(first.start), priceOf);
  const cost = account.unpricedRequests > 0 ? null : (account.cost?.withCache ?? null);
  return { usage: account.usage, cost, requests: account.rows.length };
}

function toSettings({ cwd, model }: BatchTask): ThreadOptions {
  if (cwd === undefined && model === undefined) return {};
  return { config: { ...(cwd !== undefined && { cwd }), ...(model !== undefined && { model }) } };
}

function createPause({ beforeRequest }: TaskContext): NonNullable<ThreadOptions["guards"]>[number] {
  return {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before(_facts, signal) {
      await beforeRequest(signal);
      return { type: "go" };
    },
  };
}

interface TaskTurn {
  readonly context: TaskContext;
  /** The thread has the prompt already. */
  readonly isBegun: boolean;
}

async function runTurn(thread: Thread, task: BatchTask, { context, isBegun }: TaskTurn): Promise<TurnOutcome> {
  const schema = task.outputSchema;
  const turn = thread.run(isBegun ? [] : task.prompt, {
    signal: context.signal,
    ...(schema !== undefined && { outputSchema: schema }),
  });
  return forEach(turn, (event) => context.tell(event));
}

function toOutcome(task: BatchTask, outcome: TurnOutcome, { usage, cost }: TaskUse): TaskOutcome {
  const none = { finalMessage: null, value: null, usage, cost };
  switch (outcome.type) {
    case "completed": {
      const { finalMessage } = outcome;
      const value: unknown = task.outputSchema === undefined ? null : JSON.parse(finalMessage ?? "null");
      return { status: "completed", finalMessage, value, usage, cost, error: null };
    }
    case "failed":
      return { status: "failed", ...none, error: outcome.error };
    case "interrupted":
      return { status: "failed", ...none, error: { code: "interrupted", message: "The task was interrupted." } };
  }
}
