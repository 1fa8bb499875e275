import type { JsonSchema, TokenUsage, TurnError } from "@unroll/protocol";

/** One task: plain data, so that a file, a queue or a program can carry it. */
export interface BatchTask {
  /** Names the task in results; no two tasks of a batch have the same. */
  readonly id: string;
  readonly prompt: string;
  /** The working folder, in the repository of `git` if there is one. Absent: the batch's, or the whole repository. */
  readonly cwd?: string;
  /** The repository that the process of the task clones, at `ref` (absent: its default branch). It has no credential. */
  readonly git?: { readonly url: string; readonly ref?: string };
  /** Absent: the batch's. */
  readonly model?: string;
  /** Config keys for this task, as `-c key=value` sets them. */
  readonly config?: Readonly<Record<string, string | number | boolean>>;
  /** Files of images that go with the prompt, relative to the working folder. */
  readonly images?: readonly string[];
  /** The final message must be JSON of this schema. */
  readonly outputSchema?: JsonSchema;
  /** The task continues the saved thread with this id. Absent: a new thread. */
  readonly resume?: string;
}

/** The changes of a task in a work tree or a clone of its own. */
export interface TaskChanges {
  /** The work tree's folder; null: nothing was changed, and it is gone. */
  readonly worktree: string | null;
  readonly branch: string | null;
  /** Present: changes that a killed process had not pushed are lost. */
  readonly isLost?: true;
  /** All changes since the task began, as a unified diff; null: there are none, or they are larger than 1 MiB. */
  readonly diff: string | null;
}

/** How a task ended, and what it used. */
export interface TaskOutcome {
  readonly status: "completed" | "failed";
  /** Null: there is none. */
  readonly finalMessage: string | null;
  /** The final message as JSON, if the task has an output schema; null otherwise. */
  readonly value: unknown;
  readonly usage: TokenUsage;
  /** In US dollars; null: the price is unknown. */
  readonly cost: number | null;
  /** The cost if nothing had been cached; null: the price is unknown. */
  readonly uncachedCost: number | null;
  /** Null: the task had no work tree of its own. */
  readonly changes: TaskChanges | null;
  /** Null: it completed. */
  readonly error: TurnError | null;
}

/** One line of the results. Field names are the wire's. */
export interface TaskResult {
  readonly id: string;
  readonly thread_id: string | null;
  readonly status: TaskOutcome["status"];
  readonly final_message: string | null;
  readonly value: unknown;
  readonly usage: TokenUsage;
  readonly cost: number | null;
  readonly uncached_cost: number | null;
  readonly duration_ms: number;
  readonly worktree: string | null;
  readonly branch: string | null;
  readonly diff: string | null;
  /** Present: files of the task that a killed process had not pushed are lost. */
  readonly lost_changes?: true;
  readonly error: TurnError | null;
}
