import {
  addTokenUsage,
  readUserInput,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
  type TurnError,
  type WindowOrigin,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import type { StepGuard } from "../port/step-guard.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { RequestEncoder, RequestTail } from "../request-encoder.ts";
import type { ThreadState } from "../state/thread-state.ts";
import type { GuardedStep } from "./ask-guards.ts";
import { createSideRequests } from "./side-requests.ts";

/** The world as a turn sees it. Each part is read at its use: a guard may have another model answer from the next request on. */
export interface TurnPorts {
  readonly state: ThreadState;
  readonly requests: RequestEncoder;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  /** Asked before each request, in order. */
  readonly guards: readonly StepGuard[];
  /**
   * Returns messages for the model before the next request, besides the user's: changed settings,
   * late tools. It makes no request of its own. Absent: none.
   */
  readonly takePending?: () => readonly ResponseItem[];
  /** Gets the events that end a turn whose consumer left before them. Absent: nobody hears of it. */
  readonly onLeft?: (events: readonly ThreadEvent[]) => void;
}

/** Options of one turn. */
export interface TurnOptions {
  readonly turnId: string;
  /** In tokens: the model's context window, for events. Absent: it is not reported. */
  readonly contextWindow?: number;
  /** The source of that size. Absent: it is not reported. */
  readonly contextWindowOrigin?: WindowOrigin;
  readonly signal: AbortSignal;
  /** How many of the items in the inbox were sent before the input. Absent: all of them. */
  readonly sentBefore?: number;
  /** The turn first runs the calls that wait for the user's answer. Absent: they end as not run. */
  readonly resumesCalls?: boolean;
  /** Asked for each request. */
  readonly request: () => RequestTail;
  /** Absent: any final message will do. */
  readonly answer?: AnswerCheck;
  /** Why `signal` aborted, where that fails the turn; null, or absent: somebody interrupted it. */
  readonly explainAbort?: () => TurnError | null;
}

/** A requirement on the final message. */
export interface AnswerCheck {
  /** Why it will not do; null where it will. */
  readonly check: (finalMessage: string | null) => TurnError | null;
  /** How often the model gets the error and another attempt before the turn fails. */
  readonly repairs: number;
}

/** The end of a step, or of the turn. */
export type StepOutcome =
  | { readonly type: "continued" }
  | { readonly type: "completed"; readonly finalMessage: string | null }
  /** A guard ended the turn. */
  | { readonly type: "ended" }
  | { readonly type: "failed"; readonly error: TurnError }
  /** Calls stay open: the user answers later. */
  | { readonly type: "waiting"; readonly error: TurnError }
  | { readonly type: "interrupted" };

/** A turn on its way: what it works with, and what it has used so far. */
export interface RunningTurn extends TurnOptions {
  readonly ports: TurnPorts;
  usage: TokenUsage;
  requests: number;
}

/** Messages for the model that came meanwhile, besides the user's. */
export function takePending({ ports }: RunningTurn): readonly ResponseItem[] {
  return ports.takePending?.() ?? [];
}

/** The user's messages among these. */
export function* tellInput(items: readonly ResponseItem[]): Generator<ThreadEvent, void> {
  for (const item of items) {
    const input = readUserInput(item);
    if (input !== null) yield { type: "input.received", input };
  }
}

/** The step that guards are asked about. */
export function toGuardedStep(turn: RunningTurn): GuardedStep {
  const { ports, turnId, signal, request: tail } = turn;
  const onSent = (): void => void (turn.requests += 1);
  const untold = new Set<ThreadEvent>();
  const onAnswered = (used: TokenUsage, told: ThreadEvent): void => {
    turn.usage = addTokenUsage(turn.usage, used);
    untold.add(told);
  };
  const beside = createSideRequests({ ...ports, turnId, signal, tail, onSent, onAnswered });
  const { requests, usage } = turn;
  return { turnId, signal, guards: ports.guards, state: ports.state, requests, usage, untold, ...beside };
}
