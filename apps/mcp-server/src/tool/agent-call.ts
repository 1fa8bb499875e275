import type { RequestedSettings } from "@unroll/thread-host";
import type { JsonSchema, TurnOutcome } from "@unroll/protocol";

/** The request that a call of one of our tools makes. */
export type AgentCall = StartCall | ReplyCall;

interface TurnCall {
  readonly prompt: string;
  /** Null: any text. */
  readonly outputSchema: JsonSchema | null;
}

/** A new thread, and its first turn. */
interface StartCall extends TurnCall {
  readonly type: "start";
  readonly asked: RequestedSettings;
  /** The thread is not saved. */
  readonly isEphemeral: boolean;
}

/** The next turn of a thread, open or kept. */
interface ReplyCall extends TurnCall {
  readonly type: "reply";
  readonly threadId: string;
}

/** How its turn ended. */
export interface AgentTurn {
  readonly threadId: string;
  readonly outcome: TurnOutcome;
}
