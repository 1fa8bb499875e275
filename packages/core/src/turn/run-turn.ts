import { yieldAll } from "@unroll/flow";
import { renderInterruption, renderResponseFault } from "@unroll/prompt";
import {
  noTokenUsage,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
  toTerminalEvent,
  type TurnOutcome,
} from "@unroll/protocol";
import { checkShape, describeThrown } from "@unroll/text";
import type { EndFacts } from "../port/step-guard.ts";
import { askGuardsAtEnd, type EndOutcome } from "./ask-guards.ts";
import { runStep, runTools } from "./run-step.ts";
import {
  type AnswerCheck,
  type RunningTurn,
  type StepOutcome,
  takePending,
  tellInput,
  toGuardedStep,
  type TurnOptions,
  type TurnPorts,
} from "./running-turn.ts";
import { settleState } from "./settle-state.ts";

const required = {
  "ports.state.transcript": "an object",
  "ports.requests.encode": "a function",
  "ports.model.stream": "a function",
  "ports.tools.run": "a function",
  "ports.guards": "a list",
  input: "a list",
  "options.turnId": "text",
  "options.signal": "an object",
  "options.request": "a function",
} as const;

/**
 * One turn: the user's items in, requests and tool calls until the model asks for nothing more. Ends with exactly one
 * terminal event on every path but one: a consumer that leaves early gets none, `onLeft` does. On every path each call in
 * the transcript has exactly one output, unless the user answers later (`approval_needed`), and nothing is left running. Throws only for a bug, after the terminal event.
 */
export async function* runTurn(
  ports: TurnPorts,
  input: readonly ResponseItem[],
  options: TurnOptions,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  checkShape("runTurn", { ports, input, options }, required);
  const { state } = ports;
  const turn: RunningTurn = { ...options, ports, usage: noTokenUsage, requests: 0 };
  let step: Exclude<StepOutcome, { type: "continued" }> = { type: "interrupted" };
  let bug: { readonly error: unknown } | null = null;
  let hasLeft = true;
  let outcome: TurnOutcome = { type: "interrupted", usage: noTokenUsage };
  let closing: readonly ThreadEvent[] = [];
  const tellRest = (rest: readonly ThreadEvent[]): void =>
    ports.onLeft?.([...rest, toTerminalEvent(outcome, state.ledger.threadUsage)]);
  const lengthBefore = state.transcript.items.length;
  state.beginTurn(options.turnId);
  try {
    const before = state.inbox.drain(options.sentBefore);
    if (options.resumesCalls !== true) state.closeCalls();
    const waiting = state.waitingCalls;
    const take = (): readonly ResponseItem[] => {
      const [news, received] = [takePending(turn), [...input, ...state.inbox.drain()]];
      state.transcript.append(...before, ...news, ...received);
      return received;
    };
    let received = waiting.length === 0 ? take() : null;
    const { turnId, contextWindow: context_window, contextWindowOrigin: context_window_origin } = options;
    const window = {
      ...(context_window && { context_window }),
      ...(context_window_origin && { context_window_origin }),
    };
    yield { type: "turn.started", turn_id: turnId, ...window };
    const failure = received === null ? yield* runTools(turn, waiting) : null;
    if (failure?.type === "waiting") state.inbox.putFirst(before);
    else {
      received ??= take(); // behind the outputs of the calls
      yield* tellInput([...before, ...received]);
    }
    if (failure !== null) step = failure;
    else if (!options.signal.aborted || waiting.length === 0) step = yield* runSteps(turn);
    hasLeft = false;
  } catch (error) {
    bug = { error };
    hasLeft = false;
    step = { type: "failed", error: { code: "internal_error", message: describeThrown(error) } };
  } finally {
    if (step.type !== "waiting") state.closeCalls();
    const limit = step.type === "interrupted" && !hasLeft ? (options.explainAbort?.() ?? null) : null;
    // Without any message, nothing counts as finished.
    const isChanged = state.transcript.items.length !== lengthBefore;
    if (step.type === "interrupted" && isChanged)
      state.transcript.append(renderInterruption(limit === null ? "user" : "limit"));
    if (limit !== null) step = { type: "failed", error: limit };
    outcome = toOutcome(step, turn.usage);
    try {
      closing = ports.tools.endTurn();
    } catch (error) {
      bug ??= { error };
    }
    if (hasLeft) {
      tellRest(closing);
      state.endTurn(options.turnId, outcome);
    }
  }
  // Events of the turn are recorded before its end.
  try {
    yield* yieldAll(closing, tellRest);
  } finally {
    state.endTurn(options.turnId, outcome);
  }
  // A completed turn is recorded even if the caller stops waiting just then.
  const isWanted = outcome.type === "completed" ? new AbortController().signal : turn.signal;
  const settled = await settleState(state, isWanted);
  const isTold = outcome.type === "failed" && outcome.error.code === "journal_failed";
  const warning: readonly ThreadEvent[] =
    settled.type === "failed" && !isTold ? [{ type: "warning", message: settled.error.message }] : [];
  yield* yieldAll(warning, tellRest);
  yield toTerminalEvent(outcome, state.ledger.threadUsage);
  if (bug) throw bug.error;
  return outcome;
}

async function* runSteps(turn: RunningTurn): AsyncGenerator<ThreadEvent, Exclude<StepOutcome, { type: "continued" }>> {
  const { transcript, inbox } = turn.ports.state;
  const { check, repairs } = turn.answer ?? anyAnswer;
  for (let [repaired, continued] = [0, 0]; ;) {
    const step = yield* runStep(turn);
    if (step.type !== "continued" && step.type !== "completed") return step;
    if (step.type === "continued" && turn.signal.aborted) return { type: "interrupted" };
    // only what people said is worth another request
    let said = inbox.drain();
    const fault = step.type === "completed" && said.length === 0 ? check(step.finalMessage) : null;
    if (step.type === "completed" && said.length === 0 && fault === null) {
      const ended = yield* endStep(turn, { finalMessage: step.finalMessage, continued });
      if (ended.type !== "asked") return ended;
      said = inbox.drain(); // while the guards were asked
      if (ended.say.length === 0 && said.length === 0) return step;
      if (ended.say.length > 0) continued += 1;
      transcript.append(...ended.say);
    } else if (fault !== null) {
      if (repaired === repairs) return { type: "failed", error: fault };
      repaired += 1;
      yield { type: "warning", message: `${fault.message} Asking again (${repaired} of ${repairs}).` };
      transcript.append(renderResponseFault(fault.message));
    }
    transcript.append(...takePending(turn), ...said);
    yield* tellInput(said);
  }
}

/** A guard that always wants more would never let a turn end. */
const mostContinuations = 100;

/** Asks the guards at the end, or ends the turn without them. */
async function* endStep(
  turn: RunningTurn,
  end: Pick<EndFacts, "finalMessage" | "continued">,
): AsyncGenerator<ThreadEvent, Asked | Exclude<StepOutcome, { type: "continued" }>> {
  const ended = yield* askGuardsAtEnd(toGuardedStep(turn), end);
  if (ended.type === "stop") return { type: "failed", error: ended.error };
  if (ended.type === "aborted") return { type: "interrupted" };
  if (ended.say.length === 0 || end.continued < mostContinuations) return ended;
  const message = `A guard has continued the turn ${mostContinuations} times: it ends now.`;
  yield { type: "warning", message };
  return { type: "asked", say: [] };
}

type Asked = Extract<EndOutcome, { readonly type: "asked" }>;

const anyAnswer: AnswerCheck = { check: () => null, repairs: 0 };

function toOutcome(step: Exclude<StepOutcome, { type: "continued" }>, usage: TokenUsage): TurnOutcome {
  if (step.type === "ended") return { type: "completed", finalMessage: null, usage };
  return step.type === "waiting" ? { ...step, type: "failed", usage } : { ...step, usage };
}
