import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Elicited } from "./parse-elicited.ts";

/** One call of a tool, as what works for it sees it. */
export interface ToolCall {
  /** Aborts when the client cancels it, or is gone. */
  readonly signal: AbortSignal;
  /** Reports progress, if the client asked for it. Waits where it reads slowly. */
  tell(message: string): Promise<void>;
  /** Asks the person at the client. Rejects with the signal's reason when the answer is no longer wanted. */
  ask(params: ElicitRequestFormParams, signal: AbortSignal): Promise<Elicited>;
}
