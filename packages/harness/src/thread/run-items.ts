import { type RequestTail, runTurn } from "@unroll/core";
import { contain, flatMap, followSignals } from "@unroll/flow";
import type { ResponseItem, ThreadEvent, TurnOutcome } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { SettledRunOptions } from "../turn/create-run.ts";
import type { Serving, ThreadRoom } from "./serving.ts";

/** The parts of one turn. */
export interface OwnTurnParts {
  /** Asked before each request. */
  readonly guards: () => Serving["guards"];
  /** As of `TurnPorts`. */
  readonly takePending: () => readonly ResponseItem[];
  /** As of `TurnOptions`. */
  readonly sentBefore?: number;
  /** As of `TurnOptions`. */
  readonly resumesCalls?: boolean;
}

/** The parts that each turn of a thread uses. */
export interface RunningParts extends ThreadRoom {
  /** The parts that depend on the model, as they are now. */
  readonly serving: () => Serving;
}

/** A turn with its own budget. `closing`: the end of the thread. */
export async function* runItems(
  parts: RunningParts & OwnTurnParts,
  items: readonly ResponseItem[],
  options: SettledRunOptions & { readonly closing: AbortSignal },
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  const { feed, settings } = parts;
  parts.shared.backends.paths.forget(); // within a turn, places that no command can change stay the same
  const turnId = parts.shared.host.newId();
  const { serving, guards, takePending } = parts;
  using run = parts.budget.beginRun((events) => feed.tellLeft(events));
  // a fallback switches the model within the turn
  const ports: Parameters<typeof runTurn>[0] = {
    get model() {
      return serving().model;
    },
    get requests() {
      return serving().requests;
    },
    get tools() {
      return serving().tools;
    },
    get guards() {
      return guards();
    },
    state: parts.state,
    takePending,
    onLeft: run.onLeft,
  };
  const { lost } = parts.own;
  using wanted = followSignals([options.signal, options.closing, run.signal, ...(lost === null ? [] : [lost])]);
  const turnOptions = {
    turnId,
    contextWindow: settings.config.modelFamily.contextWindow,
    contextWindowOrigin: settings.config.modelFamily.windowOrigin,
    ...(parts.sentBefore !== undefined && { sentBefore: parts.sentBefore }),
    resumesCalls: parts.resumesCalls ?? false,
    ...(await toTurnOptions(settings, { ...options, signal: wanted.signal })),
    explainAbort: () => {
      if (lost?.aborted) return { code: "thread_lost", message: describeThrown(lost.reason) };
      return options.signal.aborted || options.closing.aborted ? null : run.explainAbort();
    },
  };
  const noteRequest = (event: ThreadEvent): readonly ThreadEvent[] => {
    if (event.type === "request.started") parts.tools.expectCommand();
    if (event.type === "request.completed") serving().window.onAnswer();
    if (event.type === "epoch.opened") parts.agents.onEpoch();
    if (event.type !== "turn.completed" && event.type !== "turn.failed") return [event];
    const agents = parts.agents.list();
    return [agents.length === 0 ? event : { ...event, agents }];
  };
  // an interruption reaches the sub-agents in the background, too
  const stopAgents = contain(
    () => parts.agents.stopAll(),
    () => {},
  );
  wanted.signal.addEventListener("abort", stopAgents, { once: true });
  try {
    return yield* feed.tellTurn(turnId, run.watch(flatMap(runTurn(ports, items, turnOptions), noteRequest)));
  } finally {
    if (wanted.signal.aborted) await parts.agents.stopAll();
    parts.tools.tellEnds(); // reports commands that ended during the turn
  }
}

async function toTurnOptions(
  settings: ThreadSettings,
  { signal, outputSchema, schemaRepairs = 2 }: SettledRunOptions,
): Promise<Pick<Parameters<typeof runTurn>[2], "signal" | "request" | "answer">> {
  if (outputSchema === undefined) return { signal, request: () => settings.requestTail() };
  const request = (): RequestTail => ({ ...settings.requestTail(), outputSchema });
  if (schemaRepairs === null) return { signal, request };
  const { checkAnswer } = await import("../schema/check-answer.ts");
  return {
    signal,
    request,
    answer: { check: (finalMessage) => checkAnswer(finalMessage, outputSchema), repairs: schemaRepairs },
  };
}
