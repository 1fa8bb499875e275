import type { ResponseItem, ToolOutputItem } from "../item/response-item.ts";
import type { ApprovalPolicy } from "../policy/approval-policy.ts";
import type { AgentProgress } from "../event/thread-item.ts";
import type { KnownMcpTool, McpTool } from "../mcp/mcp-tool.ts";

/**
 * State of a thread's parts besides its transcript, in one place. The thread's journal records it,
 * and a resumed thread gets it back. Plain data, without credentials.
 */
export interface ThreadNotes {
  readonly get: <Key extends keyof ThreadNoteValues>(key: Key) => ThreadNoteValues[Key];
  readonly set: <Key extends keyof ThreadNoteValues>(key: Key, value: ThreadNoteValues[Key]) => void;
}

/** A thread's notes, by name. */
export interface ThreadNoteValues {
  /** As a person named it; null: nobody has. A fork has none. */
  readonly name: string | null;
  /**
   * The last messages to the model, as JSON; null: none yet. `permissions`: the facts, independent
   * of their wording; up to version 0.1 the whole message. `environment`: the message.
   */
  readonly told: { readonly permissions: string; readonly environment: string } | null;
  /**
   * The developer instructions, AGENTS.md files and list of skills that the model got last; null:
   * not known.
   */
  readonly toldFiles: SentContext | null;
  /** The usage of the thread and its child threads; null: none yet. */
  readonly spent: ThreadUsage | null;
  /** The model's plan, and the item that shows it while its turn lasts; null: there is none yet. */
  readonly plan: ThreadPlan | null;
  /** Approvals for the rest of the thread: keys that the call gate makes. */
  readonly approved: readonly string[];
  /** The tools of MCP servers that the thread lists, in order; null: not settled yet. */
  readonly mcpListed: readonly McpTool[] | null;
  /**
   * All MCP tools that the model knows, if messages announced some; null: it knows the listed ones.
   * Threads of earlier versions have names here, which are ignored; such tools are announced once
   * more.
   */
  readonly mcpTold: readonly (KnownMcpTool | string)[] | null;
  /** Your messages that are not in the transcript yet: they wait for the next request. A fork has none. */
  readonly waiting: readonly ResponseItem[];
  /** Outputs that are not in the transcript yet, because another call of their response waits for your answer. */
  readonly held: readonly ToolOutputItem[];
  /** For the thread of a sub-agent; null: it is none. A fork keeps it, so that it starts no more sub-agents than the thread might. */
  readonly parent: ThreadParent | null;
  /** The sub-agents whose last end the model knows, as they ended. A fork has none. */
  readonly agentsTold: readonly AgentProgress[];
  /** Values that the program saved with the thread, by names of its own. */
  readonly ofProgram: Readonly<Record<string, unknown>>;
  /** When compacting the thread was last found not worth it; null: it never was, or the thread was compacted since. */
  readonly notCompacted: NotCompacted | null;
}

/** The thread that started a sub-agent's thread. */
export interface ThreadParent {
  readonly threadId: string;
  /** How many threads are above it, 1 or more. */
  readonly depth: number;
  /** The names of its only tools; null: all that it lists. */
  readonly tools: readonly string[] | null;
  /** The names of tools that it does not get. Absent: none. */
  readonly withoutTools?: readonly string[];
  /** Its role. Absent: it has none. */
  readonly role?: ThreadRole;
  /** Whether its sandbox is its own, within that of the other thread; otherwise it has the same. */
  readonly hasOwnSandbox: boolean;
  /** Its git worktree. Absent: it has none. */
  readonly worktree?: ThreadWorktree;
}

/** The git worktree that a thread works in. Commands in a sandbox write only there. */
export interface ThreadWorktree {
  /** The folder that it was made from. */
  readonly from: string;
  /** The top of the work tree around that folder; with every link followed. */
  readonly repository: string;
  /** Its own top. */
  readonly tree: string;
  readonly branch: string;
}

/** The role of a sub-agent beside its tools, as it was when the sub-agent started. */
export interface ThreadRole {
  /** Developer instructions; null: none. */
  readonly instructions: string | null;
  /** Null: that of the thread that started it. */
  readonly approvalPolicy: ApprovalPolicy | null;
  /** How many requests it may make; null: any number. */
  readonly maxTurns: number | null;
}

/** Hashes of these texts; empty: there were none. */
export interface SentContext {
  readonly developerInstructions: string;
  readonly documents: string;
  readonly skills: string;
}

/** The size of a thread that was not compacted, and its limit then, in tokens. */
interface NotCompacted {
  readonly tokens: number;
  /** Null: it had none. */
  readonly limit: number | null;
}

/** Usage: answered requests, their tokens of input and output, their cost. */
export interface ThreadUsage {
  readonly turns: number;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number;
}

/** The plan that the model made, in the order of its steps. */
export interface ThreadPlan {
  /** Null: no turn shows it now. */
  readonly itemId: string | null;
  readonly steps: readonly { readonly text: string; readonly completed: boolean }[];
}
