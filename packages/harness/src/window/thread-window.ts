import type { ResolvedConfig } from "@unroll/config";
import type { StepFacts, StepGuard, StepVerdict } from "@unroll/core";
import { type Clock, untilAborted } from "@unroll/flow";
import type { ThreadEvent, TokenUsage } from "@unroll/protocol";
import { explainGuess, explainUnread } from "./explain-window.ts";
import type { CountedRequest } from "./find-unread.ts";
import { isNearby, isWindowAsked } from "./read-served-window.ts";

/** The context window of a thread's model, as its server has it: read beside the requests, and learned of what the server refuses. */
export interface ThreadWindow extends AsyncDisposable {
  /** Comes before the compaction, which uses its result. */
  readonly guard: StepGuard;
  /** The server named its window, in tokens. */
  learn(servedWindow: number): void;
  /** Whether the server read all of the last request, as far as that is known. */
  readsAll(): boolean;
  /** Call it when the model has answered: a server that had not told its window is asked again, because the model is loaded then. */
  onAnswer(): void;
}

export interface ThreadWindowOptions {
  readonly settings: {
    readonly config: ResolvedConfig;
    /** As of `ThreadSettings`. */
    readonly learnWindow: (servedWindow: number) => ThreadEvent | null;
  };
  /** Asks the server; null: it does not say. */
  readonly read: (signal: AbortSignal) => Promise<number | null>;
  readonly tell: (event: ThreadEvent) => void;
  readonly clock: Pick<Clock, "sleep">;
  /** Bytes in front of the items in each request. */
  readonly headBytes: number;
}

/** In ms: a request after the first waits so long for the answer of a server that is asked; it answers in a few. */
const patienceMs = 1000;

export function createThreadWindow(options: ThreadWindowOptions): ThreadWindow {
  const { settings, tell } = options;
  const ending = new AbortController();
  const reader = createReader(options, ending.signal, { learn, giveUp });
  let before: CountedRequest | null = null;
  /** The usage of the request that its server did not read whole. */
  let partial: TokenUsage | null = null;
  let current: TokenUsage | null = null;
  let isTold = false;

  const { learnWindow } = settings;

  function learn(servedWindow: number): void {
    const event = learnWindow(servedWindow);
    if (event !== null) tell(event);
  }

  /**
   * Call it when the model has answered and its server still does not say. If the config knows that
   * it is a guess, the start has already warned.
   */
  function giveUp(): void {
    const { model, modelFamily, warnings } = settings.config;
    const isTold = warnings.some(({ code }) => code === "model_unknown" || code === "model_window_unknown");
    if (modelFamily.windowOrigin === "guess" && !isTold)
      tell({ type: "warning", message: explainGuess(model, modelFamily.contextWindow) });
  }

  async function look(facts: StepFacts): Promise<void> {
    if (facts.lastUsage === null || facts.lastUsage === current) return;
    current = facts.lastUsage;
    const { provider, modelFamily } = settings.config;
    if (!isNearby(provider)) return;
    const { findUnread, toCounted } = await import("./find-unread.ts");
    const counted = toCounted(facts);
    const window = modelFamily.windowOrigin === "server" ? modelFamily.contextWindow : null;
    const isGrown = before !== null && counted !== null && before.items.length < counted.items.length;
    const unread =
      counted && findUnread(counted, { before: isGrown ? before : null, headBytes: options.headBytes, window });
    before = counted;
    if (unread === null) return;
    partial = facts.lastUsage;
    if (!isTold) tell({ type: "warning", message: explainUnread(unread, { provider, window }) });
    isTold = true;
  }

  return {
    learn,
    readsAll: () => partial === null || partial !== current,
    guard: {
      // oxlint-disable-next-line require-yield -- it reports its findings beside the turn
      async *before(facts, signal): AsyncGenerator<never, StepVerdict> {
        const { failure, lastUsage } = facts;
        if (failure?.refusal?.type === "overflow" && failure.refusal.contextWindow !== null)
          learn(failure.refusal.contextWindow);
        else if (!reader.begin()) await reader.wait(signal); // beside the first request
        if (lastUsage === null) before = null;
        await look(facts);
        return { type: "go" };
      },
    },
    onAnswer: () => reader.beginAgain(),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await reader.settled();
    },
  };
}

/** Asks once beside the first request; where nothing came of it, once more after the first answer. */
interface WindowReader {
  /** False: it had begun before. */
  begin(): boolean;
  beginAgain(): void;
  /** Waits a short time for a pending read. */
  wait(signal: AbortSignal): Promise<void>;
  settled(): Promise<void>;
}

function createReader(
  { settings, read, clock }: ThreadWindowOptions,
  signal: AbortSignal,
  { learn, giveUp }: { readonly learn: (servedWindow: number) => void; readonly giveUp: () => void },
): WindowReader {
  let reading: Promise<void> | null = null;
  let hasFound = false;
  let hasBegunAgain = false;

  async function readAfter(earlier: Promise<void> | null, onNothing: () => void): Promise<void> {
    await earlier;
    if (hasFound) return;
    const found = await read(signal).catch(() => null); // the caller continues without it
    if (signal.aborted) return;
    hasFound = found !== null;
    if (found === null) onNothing();
    else learn(found);
  }

  function start(onNothing: () => void): void {
    const isAsked = !signal.aborted && isWindowAsked(settings.config);
    reading = isAsked ? readAfter(reading, onNothing) : Promise.resolve();
  }

  return {
    begin() {
      if (reading !== null) return false;
      start(() => {});
      return true;
    },
    beginAgain() {
      if (hasBegunAgain || hasFound) return;
      hasBegunAgain = true;
      start(giveUp);
    },
    async wait(wanted) {
      if (reading === null) return;
      const patience = new AbortController();
      await Promise.race([untilAborted(reading, wanted), clock.sleep(patienceMs, patience.signal)]);
      patience.abort();
    },
    async settled() {
      await reading;
    },
  };
}
