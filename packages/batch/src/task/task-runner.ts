import type { Budget } from "@unroll/harness";
import type { Person, ThreadEvent } from "@unroll/protocol";
import type { BatchTask, TaskOutcome } from "./batch-task.ts";

/** Runs tasks, wherever they come from: the local pool or a queue. */
export interface TaskRunner {
  /**
   * Runs a task, or continues it. Throws only for what ends more than this task; a failed turn is
   * an outcome. After an abort, the outcome does not count.
   */
  run(task: BatchTask, context: TaskContext): Promise<TaskOutcome>;
}

/** A thread of a task. */
export interface TaskThread {
  readonly threadId: string;
  /** How many turns it had before the task. */
  readonly turns: number;
}

/** How questions about the calls of a task are answered. */
export interface TaskQuestions {
  readonly person: Person;
  /**
   * Whether the person may know an answer by now. False: a thread that waits for one is left alone, unless another program has continued
   * it.
   */
  readonly hasNews: boolean;
}

/** The surroundings of a task that runs. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly budget: Budget;
  /** The thread that a process which has ended gave to the task; null: the task is new. */
  readonly begun: TaskThread | null;
  /** Whether the budget already has what the begun thread used. */
  readonly isPaid: boolean;
  /** The thread shares its cache key with other tasks of this number. */
  readonly cacheShard: number;
  /** Null: they are denied. */
  readonly questions: TaskQuestions | null;
  /** Reports the task's thread. Await it before the first request: then no call can run twice. */
  readonly begin: (thread: TaskThread) => Promise<void>;
  /** Waits before each request while the batch is paused. */
  readonly beforeRequest: (signal: AbortSignal) => Promise<void>;
  /** Gets the events of the task's thread; resolves when their reader has caught up. */
  readonly tell: (event: ThreadEvent) => Promise<void>;
}
