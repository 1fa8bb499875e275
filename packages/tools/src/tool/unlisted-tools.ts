import type { CallableTool } from "./tool.ts";

/** Tools that run when the model calls them, although the thread's own list does not have them. */
export interface UnlistedTools {
  /** Tools in a resumed thread's earlier requests, which it still sends. */
  readonly kept: readonly CallableTool[];
  /** One that is there by now, looked for when it is called; null: there is none of this name. */
  find(name: string): CallableTool | null;
  /** For the model: which tools there are in place of one that was not found. Null: the thread's list says it. */
  explain(name: string): string | null;
}

/** There are none. */
export const noUnlistedTools: UnlistedTools = { kept: [], find: () => null, explain: () => null };
