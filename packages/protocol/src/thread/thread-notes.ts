import type { ResponseItem } from "../item/response-item.ts";
import type { KnownMcpTool, McpTool } from "../mcp/mcp-tool.ts";

/**
 * What the parts of a thread keep besides its transcript, all in one place: it goes through the thread's journal, and a
 * resumed thread gets it back. Plain data, without credentials.
 */
export interface ThreadNotes {
  readonly get: <Key extends keyof ThreadNoteValues>(key: Key) => ThreadNoteValues[Key];
  readonly set: <Key extends keyof ThreadNoteValues>(key: Key, value: ThreadNoteValues[Key]) => void;
}

/** What a thread knows beside its transcript, by the name of the note. */
export interface ThreadNoteValues {
  /** As a person named it; null: nobody has. A fork has none. */
  readonly name: string | null;
  /**
   * What the model was told last, as JSON; null: nothing yet. `permissions`: the facts, whatever the words; up to version 0.1 the whole
   * message. `environment`: the message.
   */
  readonly told: { readonly permissions: string; readonly environment: string } | null;
  /** Of the developer instructions, the AGENTS.md files and the list of skills that the model was given last; null: not known. */
  readonly toldFiles: SentContext | null;
  /** What was spent on the thread and on those that it opened; null: nothing yet. */
  readonly spent: ThreadUsage | null;
  /** The model's plan, and the item that shows it while its turn lasts; null: there is none yet. */
  readonly plan: ThreadPlan | null;
  /** What a person approved for the rest of the thread: keys that the call gate makes. */
  readonly approved: readonly string[];
  /** The tools of MCP servers that the thread lists, in order; null: not settled yet. */
  readonly mcpListed: readonly McpTool[] | null;
  /**
   * All MCP tools that the model knows, since it was told of some by a message; null: it knows those listed. Threads of earlier
   * versions have names here: those count for nothing, and such tools are announced once more.
   */
  readonly mcpTold: readonly (KnownMcpTool | string)[] | null;
  /** What people said that is not in the transcript yet: it waits for the next request. A fork has none. */
  readonly waiting: readonly ResponseItem[];
  /** When compacting the thread was last found not worth it; null: it never was, or the thread was compacted since. */
  readonly notCompacted: NotCompacted | null;
}

/** Hashes of what was told; empty: nothing was. */
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

/** What was spent: requests that were answered, their tokens of input and output, what they cost. */
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
