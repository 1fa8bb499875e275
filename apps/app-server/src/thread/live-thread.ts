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
import { createTurnTeller, type TurnTeller } from "./turn-teller.ts";
import type { ShownItems } from "./shown-items.ts";

/** What a client asks of a turn. */
interface TurnRequest {
  readonly input: UserInput;
  /** As it was sent. */
  readonly said: readonly WireInput[];
  readonly change: ThreadChange;
  readonly outputSchema: JsonSchema | null;
}

/** A turn that begins, and what lets its events out: whoever asked for it is told of it first. */
interface BegunTurn {
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

/** `cancel`: ends the turn that runs, if one does. */
export interface OwnThread extends LiveThread {
  readonly turnId: string;
  cancel(): void;
}

export function openLiveThread(parts: LiveParts): OwnThread {
  return new ServedThread(parts);
}

class ServedThread implements OwnThread {
  readonly openedAt: number;
  config: ResolvedConfig;
  preview: string;
  name: string | null = null;
  readonly #parts: LiveParts;
  readonly #teller: TurnTeller;
  readonly #ending = new AbortController();
  #running: RunningTurn | null = null;
  #said: WireItem | null = null;

  constructor(parts: LiveParts) {
    const { thread, notes, clock } = parts;
    this.#parts = parts;
    this.config = parts.config;
    this.preview = parts.preview;
    this.openedAt = clock.now();
    this.#teller = createTurnTeller({
      threadId: thread.id,
      cwd: () => this.config.cwd,
      contextWindow: parts.config.modelFamily.contextWindow,
      notes,
      clock,
      takeInput: () => this.#said,
    });
    void parts.released.then(() => this.#tellBetweenTurns());
  }

  get id(): string {
    return this.#parts.thread.id;
  }

  get audience(): Audience {
    return this.#parts.audience;
  }

  get isEphemeral(): boolean {
    return this.#parts.isEphemeral;
  }

  get forkedFrom(): string | null {
    return this.#parts.forkedFrom;
  }

  get status(): WireThreadStatus {
    return this.#running === null ? { type: "idle" } : { type: "active", activeFlags: [] };
  }

  get turnId(): string {
    return this.#teller.turnId;
  }

  mcpServers(): ReturnType<Thread["mcpServers"]> {
    return this.#parts.thread.mcpServers();
  }

  rename(name: string): void {
    this.name = name;
    this.audience.tell([{ method: "thread/name/updated", params: { threadId: this.id, threadName: name } }]);
  }

  cancel(): void {
    this.#running?.stop.abort();
  }

  async startTurn({ input, said, change, outputSchema }: TurnRequest): Promise<BegunTurn> {
    if (this.#running !== null) throw busy();
    const { thread } = this.#parts;
    if (Object.keys(change).length > 0) {
      thread.change(change);
      this.config = { ...this.config, ...change };
    }
    const options = outputSchema === null ? {} : { outputSchema };
    return this.#begin((signal) => thread.run(input, { signal, ...options }), said);
  }

  async steer(turnId: string, input: UserInput): Promise<void> {
    this.#checkRunning(turnId);
    await this.#parts.thread.send(input);
  }

  interrupt(turnId: string): void {
    this.#checkRunning(turnId).stop.abort();
  }

  async compact(): Promise<BegunTurn> {
    return this.#begin((signal) => this.#parts.thread.compact({ signal }), []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
    this.#ending.abort();
    await this.#parts.close();
  }

  async #begin(
    open: (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
    input: readonly WireInput[],
  ): Promise<BegunTurn> {
    if (this.#running !== null) throw busy();
    this.preview ||= toPreview(input);
    const turn: RunningTurn = { stop: new AbortController(), id: null };
    this.#running = turn;
    const begun = Promise.withResolvers<string>();
    const released = Promise.withResolvers<void>();
    const onBegin = (id: string): Promise<void> => {
      turn.id = id;
      this.#said = toSaid(id, input);
      begun.resolve(id);
      return released.promise;
    };
    void this.#pump(open(turn.stop.signal), turn, onBegin).catch((error: unknown) => {
      begun.reject(error);
      if (turn.id !== null) void this.#tell(toLost(this.id, error));
    });
    const id = await begun.promise;
    return { turn: toWireTurn(id, { status: "inProgress" }), release: released.resolve };
  }

  /** What comes before the turn begins was told between turns. */
  async #pump(
    events: AsyncGenerator<ThreadEvent, TurnOutcome>,
    turn: RunningTurn,
    onBegin: (id: string) => Promise<void>,
  ): Promise<void> {
    try {
      for await (const event of events) {
        if (event.type === "turn.started") await onBegin(event.turn_id);
        if (event.type === "turn.completed" || event.type === "turn.failed") this.#running = null;
        if (turn.id !== null) await this.#tell(this.#teller.tell(event));
      }
    } finally {
      if (this.#running === turn) this.#running = null;
    }
  }

  async #tell(told: readonly Notification[]): Promise<void> {
    const { audience, shown } = this.#parts;
    audience.tell(told);
    shown.note(told);
    await audience.room();
  }

  /** MCP servers that come up, commands that end. */
  async #tellBetweenTurns(): Promise<void> {
    for await (const { turnId, event } of this.#parts.thread.events({ signal: this.#ending.signal }))
      if (turnId === null) await this.#tell(this.#teller.tell(event));
  }

  #checkRunning(turnId: string): RunningTurn {
    if (this.#running !== null && this.#running.id === turnId) return this.#running;
    throw new RequestFault("invalidRequest", `turnId: the turn ${turnId} does not run in thread ${this.id}.`);
  }
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
