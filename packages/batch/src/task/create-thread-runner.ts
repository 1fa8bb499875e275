import { accountThread, type PriceOf } from "@unroll/accounting";
import { createSlots, forEach } from "@unroll/flow";
import type { Harness, Thread, ThreadOptions } from "@unroll/harness";
import {
  type JournalEntry,
  listStoredTurns,
  noTokenUsage,
  type StoredThread,
  type ThreadStore,
  type TurnOutcome,
  type UserInput,
} from "@unroll/protocol";
import type { BatchTask, TaskChanges, TaskOutcome } from "./batch-task.ts";
import type { TaskContext, TaskRunner, TaskThread } from "./task-runner.ts";

/** The parts of a runner. */
export interface ThreadRunnerOptions {
  readonly harness: Pick<Harness, "openThread" | "resumeThread">;
  /** The harness's store: a task that was cut off continues from it. */
  readonly store: ThreadStore;
  readonly priceOf: PriceOf;
  /** The id of a new thread: a UUID of version 7. */
  readonly newId: () => string;
  /** Where and how a task works. Absent: in its `cwd`, with its `model`. */
  readonly openPlace?: (task: BatchTask, thread: StartedThread) => Promise<TaskPlace>;
}

/** The thread of a task that runs. */
export interface StartedThread extends TaskThread {
  /** The task's last turn in an earlier process; null: there was none. */
  readonly turnId: string | null;
}

/** The surroundings of a task's thread. */
export interface TaskPlace {
  readonly options: ThreadOptions;
  /** Absent: the prompt. */
  readonly input?: UserInput;
  /** A message for the model that comes first, if an earlier process began the task. Absent: none. */
  readonly news?: string;
  /**
   * Called at the end. `isEnded`: the task will not continue; `turnId`: of its last turn. Returns what it changed; null: it has
   * no work tree of its own. Absent: the same.
   */
  readonly close?: (isEnded: boolean, turnId: string | null) => Promise<TaskChanges | null>;
}

/** To open a thread, or to read it at its end, takes for a moment more memory than a thread that waits: only so many do it at once. */
const mostBusy = 8;
/** The task was ended before its thread was open: the thread is as it was. */
const notStarted: TurnOutcome = { type: "interrupted", usage: noTokenUsage };

/** Runs each task as one turn of a thread of its own. */
export function createThreadRunner({ harness, openPlace, ...parts }: ThreadRunnerOptions): TaskRunner {
  const { store, priceOf } = parts;
  const busy = createSlots(mostBusy);

  async function load(threadId: string): Promise<StoredThread | null> {
    using _place = await busy.take();
    return await loadIfAny(store, threadId);
  }

  async function runThread(place: TaskPlace, found: FoundThread, { task, context }: RunningTask): Promise<TurnOutcome> {
    const guards = [...(place.options.guards ?? []), createPause(context)];
    const { budget, signal, cacheShard, questions } = context;
    const person = questions && { person: questions.person };
    const options = { cacheShard, ...place.options, ...person, guards, budget, signal };
    using opening = await busy.take();
    if (context.signal.aborted) return notStarted;
    await using thread =
      found.stored === null
        ? await harness.openThread({ ...options, id: found.threadId })
        : await harness.resumeThread(found.threadId, options);
    const input = found.end === null ? (place.input ?? task.prompt) : []; // the thread has it already
    if (found.end !== null && place.news !== undefined) await thread.send(place.news);
    const tell: TaskContext["tell"] = (event) => {
      opening[Symbol.dispose](); // the thread is open; what its turn waits for may take hours
      return context.tell(event);
    };
    return await runTurn(thread, input, { task, context: { ...context, tell } });
  }

  /** The end of the task, and what it changed. */
  async function runPlace(
    found: FoundThread,
    { task, context }: RunningTask,
  ): Promise<{ readonly outcome: TurnOutcome; readonly changes: TaskChanges | null }> {
    const place = (await openPlace?.(task, found)) ?? { options: toSettings(task) };
    let isClosed = false;
    const close = async (isEnded: boolean): Promise<TaskChanges | null> => {
      if (isClosed || place.close === undefined) return null;
      isClosed = true;
      const stored = await load(found.threadId);
      return place.close(isEnded, stored === null ? null : findLastTurn(stored, found.turns));
    };
    try {
      const { end } = found;
      const isOver = end?.type === "completed" || (isPostponed(end) && context.questions?.hasNews === false);
      const outcome = end !== null && isOver ? end : await runThread(place, found, { task, context });
      const isEnded = outcome.type !== "interrupted" && !isPostponed(outcome);
      return { outcome, changes: await close(isEnded) };
    } catch (error) {
      await close(false);
      throw error;
    }
  }

  return {
    async run(task, context) {
      const found = await findThread(task, context.begun, parts);
      if (context.begun === null) await context.begin({ threadId: found.threadId, turns: found.turns });
      const before = sumUse(found.stored?.entries ?? [], found.turns, priceOf);
      const tokens = before.usage.input_tokens + before.usage.output_tokens;
      if (!context.isPaid) context.budget.spend({ turns: before.requests, tokens, cost: before.cost ?? 0 });
      const { outcome, changes } = await runPlace(found, { task, context });
      const stored = outcome === notStarted ? found.stored : await load(found.threadId);
      return { ...toOutcome(task, outcome), ...sumUse(stored?.entries ?? [], found.turns, priceOf), changes };
    },
  };
}

interface FoundThread extends StartedThread {
  /** Null: the store has none. */
  readonly stored: StoredThread | null;
  /** How the task's turn ended in an earlier process; `interrupted` for one that was cut off; null: it had not begun. */
  readonly end: TurnOutcome | null;
}

/** Whether the thread waits for an answer. */
function isPostponed(outcome: TurnOutcome | null): boolean {
  return outcome?.type === "failed" && outcome.error.code === "approval_needed";
}

/** A thread without a turn is not in the store: it starts again under the same id. */
async function findThread(
  { resume }: BatchTask,
  begun: TaskThread | null,
  { store, newId }: Pick<ThreadRunnerOptions, "store" | "newId">,
): Promise<FoundThread> {
  const threadId = begun?.threadId ?? resume ?? null;
  if (threadId === null) return { threadId: newId(), turns: 0, turnId: null, stored: null, end: null };
  const stored = resume === undefined ? await loadIfAny(store, threadId) : await store.load(threadId);
  if (stored === null) return { threadId, turns: 0, turnId: null, stored, end: null };
  const turns = begun?.turns ?? listStoredTurns(stored.entries).length;
  return { threadId: stored.threadId, turns, turnId: findLastTurn(stored, turns), stored, end: readEnd(stored, turns) };
}

/** `turns`: how many the thread had before the task. */
function findLastTurn({ entries }: Pick<StoredThread, "entries">, turns: number): string | null {
  return listStoredTurns(entries).slice(turns).at(-1)?.id ?? null;
}

async function loadIfAny(store: ThreadStore, threadId: string): Promise<StoredThread | null> {
  try {
    return await store.load(threadId);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, "code") === "thread_missing") return null;
    throw error;
  }
}

function readEnd({ entries }: Pick<StoredThread, "entries">, turns: number): TurnOutcome | null {
  const last = findLastTurn({ entries }, turns);
  if (last === null) return null;
  const end = entries.findLast((entry) => entry.type === "turn.ended" && entry.turnId === last);
  return end?.type === "turn.ended" ? end.outcome : { type: "interrupted", usage: noTokenUsage };
}

interface TaskUse extends Pick<TaskOutcome, "usage" | "cost" | "uncachedCost"> {
  readonly requests: number;
}

/** The usage of the task in all processes, by the thread's journal from its first turn on. */
function sumUse(entries: readonly JournalEntry[], turns: number, priceOf: PriceOf): TaskUse {
  const first = listStoredTurns(entries).at(turns);
  const account = accountThread(first === undefined ? [] : entries.slice(first.start), priceOf);
  const cost = account.unpricedRequests > 0 ? null : account.cost;
  const [paid, uncached] = [cost?.withCache ?? null, cost?.withoutCache ?? null];
  return { usage: account.usage, cost: paid, uncachedCost: uncached, requests: account.rows.length };
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

interface RunningTask {
  readonly task: BatchTask;
  readonly context: TaskContext;
}

async function runTurn(thread: Thread, input: UserInput, { task, context }: RunningTask): Promise<TurnOutcome> {
  const schema = task.outputSchema;
  const turn = thread.run(input, {
    signal: context.signal,
    ...(schema !== undefined && { outputSchema: schema }),
  });
  return forEach(turn, (event) => context.tell(event));
}

function toOutcome(
  task: BatchTask,
  outcome: TurnOutcome,
): Pick<TaskOutcome, "status" | "finalMessage" | "value" | "error"> {
  const none = { status: "failed", finalMessage: null, value: null } as const;
  switch (outcome.type) {
    case "completed": {
      const { finalMessage } = outcome;
      const value: unknown = task.outputSchema === undefined ? null : JSON.parse(finalMessage ?? "null");
      return { status: "completed", finalMessage, value, error: null };
    }
    case "failed":
      return { ...none, error: outcome.error };
    case "interrupted":
      return { ...none, error: { code: "interrupted", message: "The task was interrupted." } };
  }
}
