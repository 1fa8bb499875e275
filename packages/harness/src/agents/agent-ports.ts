import type { Clock } from "@unroll/flow";
import type { AgentProgress, Journal, ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import type { AgentTask, InputSchema } from "@unroll/tools";
import type { Budget } from "../guard/budget.ts";
import type { AgentTree } from "../sub-agent/agent-tree.ts";
import type { TurnResult } from "../turn/turn.ts";
import type { AgentPlace } from "./agent-worktree.ts";
import type { RestoredAgent } from "./restore-agents.ts";

/** The thread of a sub-agent. */
export interface ChildThread extends AsyncDisposable {
  readonly id: string;
  /** As of `Thread.budget`: of its running turn, otherwise of the thread. */
  readonly budget: Pick<Budget, "spent">;
  readonly agents: { list(): readonly AgentProgress[] };
  run(input: UserInput, options: ChildTurnOptions): ChildTurn;
  send(input: UserInput): Promise<void>;
}

/** As of `Thread.run`. */
export type ChildTurn = AsyncGenerator<ThreadEvent, TurnOutcome> & PromiseLike<TurnResult<unknown>>;

interface ChildTurnOptions {
  readonly signal: AbortSignal;
  readonly output?: InputSchema;
}

/** A sub-agent's thread, opened. */
export interface OpenedAgent<Child> {
  readonly thread: Child;
  /** Whether its cost is known. */
  readonly isPriced: boolean;
  /** Null: it has no worktree. */
  readonly place: AgentPlace | null;
}

interface AgentLimits {
  readonly enabled: boolean;
  readonly maxThreads: number;
  readonly maxTotal: number;
  readonly maxDepth: number;
}

export interface AgentPoolPorts<Child> {
  /** Opens a thread for a task. Throws the reason why it cannot, in words for the model. */
  readonly open: (task: AgentTask, name: string) => Promise<OpenedAgent<Child>>;
  /** Opens one that was opened before. */
  readonly resume: (threadId: string, name: string) => Promise<OpenedAgent<Child>>;
  /** Whether threads are saved: those that have ended are closed then, and resumed when they are needed. */
  readonly isKept: () => boolean;
  readonly journal: Journal;
  readonly tell: (event: ThreadEvent) => void;
  readonly newId: () => string;
  readonly clock: Pick<Clock, "setTimer" | "now" | "elapsed">;
  /** The thread only waits for sub-agents until the returned function is called. */
  readonly rest: () => () => void;
  readonly tree: AgentTree;
  readonly limits: () => AgentLimits;
  /** Saves which sub-agents' last ends the model knows. */
  readonly keepTold: (told: readonly AgentProgress[]) => void;
  /** The model's names of the tools. */
  readonly names: () => { readonly wait: string; readonly send: string };
  /** The sub-agents that the thread started in other processes. */
  readonly restored: readonly RestoredAgent[];
}
