import type { ReasoningEffort, SandboxMode, ThreadEvent, ToolCallThreadItem } from "@unroll/protocol";

/** A task for a sub-agent. Null: as of the thread that gives it, or as the role says. */
export interface AgentTask {
  readonly task: string;
  /** A short name for people; null: one is made of the role and a number. */
  readonly name: string | null;
  readonly role: string | null;
  /** The names of the only tools it gets. */
  readonly tools: readonly string[] | null;
  readonly sandbox: SandboxMode | null;
  readonly model: string | null;
  readonly effort: ReasoningEffort | null;
  /** Relative to the working folder. */
  readonly folder: string | null;
  /** Whether it works in a git worktree of its own. */
  readonly worktree: boolean;
}

/** Which sub-agents are waited for, and how long. */
export interface AgentWait {
  /** Ids of threads, or names. Null: all that run. */
  readonly agents: readonly string[] | null;
  /** `any`: until the first of them ends. */
  readonly until: "any" | "all";
  /** Null: no limit. */
  readonly timeoutMs: number | null;
}

/** The call of the model that gives a task. */
export interface AgentCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Whether the call waits for the sub-agent. It never waits longer than to the next message of the person. */
  readonly waits: boolean;
  /** The item of the call, which shows the sub-agent; null: nothing shows it. */
  readonly item: ToolCallThreadItem | null;
  /** Reports updates of the item while the call runs. */
  readonly emit: (event: ThreadEvent) => Promise<void>;
}

/** The outcome of a call. */
export interface AgentAnswer {
  /** For the model. */
  readonly output: string;
  /** Why the call failed, in one or more sentences; null: it did not. */
  readonly fault: string | null;
  /** The item of the call at its end. Absent: as it began. Null: it shows a sub-agent that still runs, and ends with that. */
  readonly item?: ToolCallThreadItem | null;
  /** As of the item: the sub-agents whose reports the output is, and which were shown. Absent: it is something else. */
  readonly reported?: readonly string[];
}

/** The sub-agents of a thread; the harness implements it. Nothing here throws for what the model did wrong. */
export interface AgentPort {
  /** A call that has a sub-agent does not start another one: it waits for that one. */
  start(task: AgentTask, call: AgentCall): Promise<AgentAnswer>;
  wait(wait: AgentWait, signal: AbortSignal): Promise<AgentAnswer>;
  /** A running sub-agent gets it with its next request; one that has ended begins another turn. */
  message(agent: string, text: string, signal: AbortSignal): Promise<AgentAnswer>;
  /** Stops a running one for the model, which gets its end by the answer. */
  interrupt(agent: string): Promise<AgentAnswer>;
}
