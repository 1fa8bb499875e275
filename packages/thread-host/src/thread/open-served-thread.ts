import type { ResolvedConfig } from "@unroll/config";
import { type Clock, forEach, untilAborted } from "@unroll/flow";
import type { Thread, ThreadChange } from "@unroll/harness";
import { toProgramFailure } from "@unroll/program";
import type { ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import { checkFolder } from "../file/check-folder.ts";
import { ThreadHostError } from "../thread-host-error.ts";
import { toPreview } from "../history/stored-turns.ts";
import type { BegunTurn, ServedThread, ServedTurnOptions } from "./served-thread.ts";
import type { ShownItems } from "./shown-items.ts";
import type { ThreadFollower } from "./thread-follower.ts";

export interface ServedParts {
  readonly thread: Thread;
  readonly isEphemeral: boolean;
  readonly forkedFrom: string | null;
  /** As far as one is known. */
  readonly preview: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly clock: Pick<Clock, "now">;
  readonly follower: ThreadFollower;
  readonly shown: ShownItems;
  /** Resolves when whoever opened it was told so: what happened while it was opened comes behind that. */
  readonly released: Promise<void>;
  readonly close: () => Promise<void>;
}

export function openServedThread(parts: ServedParts): ServedThread {
  return new FollowedThread(parts);
}

interface RunningTurn {
  readonly stop: AbortController;
  /** Null: it has not begun. */
  id: string | null;
}

type OpenTurn = (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>;

class FollowedThread implements ServedThread {
  preview: string;
  usedAt: number;
  readonly #parts: ServedParts;
  readonly #ending = new AbortController();
  #running: RunningTurn | null = null;
  /** Null: it has not begun. */
  #reading: Promise<void> | null = null;

  constructor(parts: ServedParts) {
    this.#parts = parts;
    this.preview = parts.preview;
    this.usedAt = parts.usedAt;
    void parts.released.then(() => (this.#reading = this.#tellBetweenTurns()));
  }

  get id(): string {
    return this.#parts.thread.id;
  }

  get config(): ResolvedConfig {
    return this.#parts.thread.config;
  }

  get name(): string | null {
    return this.#parts.thread.name;
  }

  rename(name: string | null): void {
    this.#parts.thread.rename(name);
    this.#noteUse();
  }

  get isEphemeral(): boolean {
    return this.#parts.isEphemeral;
  }

  get forkedFrom(): string | null {
    return this.#parts.forkedFrom;
  }

  get createdAt(): number {
    return this.#parts.createdAt;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  mcpServers(): ReturnType<Thread["mcpServers"]> {
    return this.#parts.thread.mcpServers();
  }

  change(change: ThreadChange): void {
    if (Object.keys(change).length === 0) return;
    this.#parts.thread.change(change);
    this.#noteUse();
  }

  async startTurn(input: UserInput, { change = {}, outputSchema = null }: ServedTurnOptions = {}): Promise<BegunTurn> {
    if (change.cwd !== undefined) await checkFolder(change.cwd);
    this.#checkIdle();
    this.change(change);
    this.preview ||= toPreview(input);
    const options = outputSchema === null ? {} : { outputSchema };
    return this.#begin((signal) => this.#parts.thread.run(input, { signal, ...options }));
  }

  async compact(options: { readonly focus?: string } = {}): Promise<BegunTurn> {
    this.#checkIdle();
    return this.#begin((signal) => this.#parts.thread.compact({ ...options, signal }));
  }

  async steer(turnId: string, input: UserInput): Promise<void> {
    this.#checkRunning(turnId);
    await this.#parts.thread.send(input);
    this.#noteUse();
  }

  interrupt(turnId: string): void {
    this.#checkRunning(turnId).stop.abort();
  }

  cancel(): void {
    this.#running?.stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
    this.#ending.abort();
    try {
      await this.#parts.close();
    } finally {
      await this.#reading; // until what the end told is told
    }
  }

  async #begin(open: OpenTurn): Promise<BegunTurn> {
    const turn: RunningTurn = { stop: new AbortController(), id: null };
    this.#running = turn;
    const [begun, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const ended = this.#pump(open(turn.stop.signal), turn, (id) => {
      begun.resolve(id);
      return untilAborted(released.promise, this.#ending.signal);
    });
    ended.catch((error: unknown) => {
      begun.reject(error);
      if (turn.id !== null) void this.#tell({ type: "warning", message: toProgramFailure(error).error.message });
    });
    return { id: await begun.promise, release: released.resolve, ended };
  }

  /** What comes before the turn begins was told between turns. */
  async #pump(
    events: ReturnType<OpenTurn>,
    turn: RunningTurn,
    onBegin: (id: string) => Promise<unknown>,
  ): Promise<TurnOutcome> {
    try {
      return await forEach(events, async (event) => {
        if (event.type === "turn.started") await onBegin((turn.id = event.turn_id));
        if (event.type === "turn.completed" || event.type === "turn.failed") this.#end(turn);
        this.#noteUse();
        if (turn.id !== null) await this.#tell(event);
      });
    } finally {
      this.#end(turn);
    }
  }

  #noteUse(): void {
    this.usedAt = this.#parts.clock.now();
  }

  /** The next turn may begin once the last event of this one is on its way. */
  #end(turn: RunningTurn): void {
    if (this.#running === turn) this.#running = null;
  }

  async #tell(event: ThreadEvent): Promise<void> {
    const { follower, shown } = this.#parts;
    await follower.tell(event, this);
    shown.note(event);
  }

  /** MCP servers that come up, commands that end: by themselves, and with the thread, which ends this. */
  async #tellBetweenTurns(): Promise<void> {
    const told = this.#parts.thread.events({ ofTurns: false });
    for await (const { event } of told) await this.#tell(event);
  }

  #checkIdle(): void {
    if (this.#running === null) return;
    throw new ThreadHostError("turn_runs", "A turn runs in this thread: steer it, interrupt it, or wait for its end.");
  }

  #checkRunning(turnId: string): RunningTurn {
    if (this.#running !== null && this.#running.id === turnId) return this.#running;
    throw new ThreadHostError("turn_not_running", `The turn ${turnId} does not run in thread ${this.id}.`);
  }
}
