import type { ResolvedConfig } from "@unroll/config";
import type { Clock } from "@unroll/flow";
import type { Thread, ThreadChange } from "@unroll/harness";
import type { JsonSchema, ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import { toProgramFailure } from "@unroll/program";
import { toPreview } from "../map/to-stored-turns.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { Notification } from "../schema/notifications.ts";
import type { WireInput, WireItem } from "../schema/thread-item.ts";
import type { WireThreadStatus, WireTurn } from "../schema/thread.ts";
import { RequestFault } from "../wire/request-fault.ts";
import type { Audience } from "./audience.ts";
import type { CallNotes } from "./call-notes.ts";
import { createTurnTeller } from "./turn-teller.ts";
import type { ShownItems } from "./shown-items.ts";

/** What a client asks of a turn. */
export interface TurnRequest {
  readonly input: UserInput;
  /** As it was sent. */
  readonly said: readonly WireInput[];
  readonly change: ThreadChange;
  readonly outputSchema: JsonSchema | null;
}

/** A turn that begins, and what lets its events out: whoever asked for it is told of it first. */
export interface BegunTurn {
  readonly turn: WireTurn;
  readonly release: () => void;
}

/** An open thread with its clients. */
export interface LiveThread extends AsyncDisposable {
  readonly id: string;
  readonly audience: Audience;
  readonly status: WireThreadStatus;
  readonly config: ResolvedConfig;
  readonly isEphemeral: boolean;
  readonly forkedFrom: string | null;
  /** The beginning of what a person said first; empty where nobody has. */
  readonly preview: string;
  /** As a client named it; null: it has none. Kept as long as the thread is open. */
  readonly name: string | null;
  rename(name: string): void;
  /** In ms since 1970. */
  readonly openedAt: number;
  readonly mcpServers: Thread["mcpServers"];
  /** Throws `RequestFault` while a turn runs, and what keeps a turn from beginning. */
  startTurn(request: TurnRequest): Promise<BegunTurn>;
  /** Throws `RequestFault` where that turn does not run. */
  steer(turnId: string, input: UserInput): Promise<void>;
  interrupt(turnId: string): void;
  /** Throws as `startTurn`. */
  compact(): Promise<BegunTurn>;
}

export interface LiveParts {
  readonly thread: Thread;
  readonly config: ResolvedConfig;
  readonly isEphemeral: boolean;
  readonly forkedFrom: string | null;
  /** As far as one is known. */
  readonly preview: string;
  /** Resolves when whoever opened it was told so: what happened while it was opened comes behind that. */
  readonly released: Promise<void>;
  readonly audience: Audience;
  readonly notes: CallNotes;
  readonly shown: ShownItems;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly close: () => Promise<void>;
}

interface RunningTurn {
  readonly stop: AbortController;
  id: string | null;
}

export function openLiveThread(parts: LiveParts): LiveThread & { readonly turnId: string; cancel(): void } {
  const { thread, audience, notes, shown } = parts;
  let { config, preview } = parts;
  let name: string | null = null;
  const openedAt = parts.clock.now();
  let running: RunningTurn | null = null;
  let said: WireItem | null = null;
  const teller = createTurnTeller({
    threadId: thread.id,
    cwd: () => config.cwd,
    contextWindow: config.modelFamily.contextWindow,
    notes,
    clock: parts.clock,
    takeInput: () => said,
  });

  async function tell(told: readonly Notification[]): Promise<void> {
    audience.tell(told);
    shown.note(told);
    await audience.room();
  }
  notes.onDiff((itemId) => void tell(teller.release(itemId)));
  const ending = new AbortController();
  const between = parts.released.then(() =>
    tellBetweenTurns(thread, ending.signal, (event) => tell(teller.tell(event))),
  );

  async function begin(
    open: (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
    input: readonly WireInput[],
  ): Promise<BegunTurn> {
    if (running !== null) throw busy();
    preview ||= toPreview(input);
    const turn: RunningTurn = { stop: new AbortController(), id: null };
    running = turn;
    const begun = Promise.withResolvers<string>();
    const released = Promise.withResolvers<void>();
    const pump = async (): Promise<void> => {
      try {
        for await (const event of open(turn.stop.signal)) {
          if (event.type === "turn.started") {
            turn.id = event.turn_id;
            said = toSaid(event.turn_id, input);
            begun.resolve(event.turn_id);
            await released.promise;
          }
          if (event.type === "turn.completed" || event.type === "turn.failed") running = null;
          if (turn.id !== null) await tell(teller.tell(event)); // what comes before was told between turns
        }
      } finally {
        if (running === turn) running = null;
      }
    };
    void pump().catch((error: unknown) => {
      begun.reject(error);
      if (turn.id !== null) void tell(toLost(thread.id, error));
    });
    const id = await begun.promise;
    return { turn: toWireTurn(id, { status: "inProgress" }), release: released.resolve };
  }

  function checkRunning(turnId: string): RunningTurn {
    if (running !== null && running.id === turnId) return running;
    throw new RequestFault("invalidRequest", `The turn ${turnId} does not run in thread ${thread.id}.`);
  }

  return {
    id: thread.id,
    audience,
    isEphemeral: parts.isEphemeral,
    forkedFrom: parts.forkedFrom,
    openedAt,
    get name() {
      return name;
    },
    rename(next) {
      name = next;
      audience.tell([{ method: "thread/name/updated", params: { threadId: thread.id, threadName: next } }]);
    },
    get preview() {
      return preview;
    },
    mcpServers: () => thread.mcpServers(),
    get status(): WireThreadStatus {
      return running === null ? { type: "idle" } : { type: "active", activeFlags: [] };
    },
    get config() {
      return config;
    },
    get turnId() {
      return teller.turnId;
    },
    cancel: () => running?.stop.abort(),
    async startTurn({ input, said: parts_, change, outputSchema }) {
      if (running !== null) throw busy();
      if (Object.keys(change).length > 0) {
        thread.change(change);
        config = { ...config, ...change };
      }
      const options = outputSchema === null ? {} : { outputSchema };
      return begin((signal) => thread.run(input, { signal, ...options }), parts_);
    },
    async steer(turnId, input) {
      checkRunning(turnId);
      await thread.send(input);
    },
    interrupt: (turnId) => checkRunning(turnId).stop.abort(),
    compact: () => begin((signal) => thread.compact({ signal }), []),
    async [Symbol.asyncDispose]() {
      running?.stop.abort();
      ending.abort();
      await parts.close();
      await between;
    },
  };
}

/** MCP servers that come up, commands that end. */
async function tellBetweenTurns(
  thread: Thread,
  signal: AbortSignal,
  tell: (event: ThreadEvent) => Promise<void>,
): Promise<void> {
  for await (const { turnId, event } of thread.events({ signal })) if (turnId === null) await tell(event);
}

function toSaid(turnId: string, content: readonly WireInput[]): WireItem | null {
  return content.length === 0
    ? null
    : { type: "userMessage", id: `user_${turnId}`, clientId: null, content: [...content] };
}

function busy(): RequestFault {
  return new RequestFault("invalidRequest", "A turn runs in this thread: steer it (turn/steer), or wait for its end.");
}

/** A bug of ours in the middle of a turn: the clients are not left waiting. */
function toLost(threadId: string, error: unknown): readonly Notification[] {
  return [{ method: "warning", params: { threadId, message: toProgramFailure(error).error.message } }];
}
