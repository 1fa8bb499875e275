import type { ResolvedConfig } from "@unroll/config";
import { type Broadcast, type Clock, createBroadcast, forEach, untilAborted } from "@unroll/flow";
import type { Thread, ThreadChange } from "@unroll/harness";
import { type ProgramModel, toProgramFailure } from "@unroll/program";
import { planInstructions } from "@unroll/use-cases/plan";
import type { NumberedEvent, StoredThread, ThreadEvent, TurnOutcome, UserInput, UserInputPart } from "@unroll/protocol";
import { checkFolder } from "../file/check-folder.ts";
import { findPreview, toPreview } from "../history/stored-turns.ts";
import { ThreadHostError } from "../thread-host-error.ts";
import type {
  AskedModel,
  StartedTurn,
  ForkRequest,
  HostedThread,
  HostedTurnOptions,
  HostedOpening,
} from "./hosted-thread.ts";
import type { ShownItems } from "./shown-items.ts";
import type { ThreadClient } from "./thread-client.ts";

/** A thread of a harness, and what ends both where nobody else has the harness. */
export interface AwakeThread extends AsyncDisposable {
  readonly thread: Thread;
}

/** Whether plan mode is on: what the gate of a thread reads. */
export interface PlanHold {
  isOn: boolean;
}

/** Who keeps the handles. */
export interface HandleKeeper<Follower> {
  /** Something happens in it. */
  onUse(thread: ThreadHandle<Follower>): void;
  /** It may be idle now. */
  onRest(): void;
}

export interface HandleParts<Follower> {
  readonly first: AwakeThread;
  /** Opens it again where it slept. */
  readonly wake: (config: ResolvedConfig) => Promise<AwakeThread>;
  /** What has to live as long as the model is used. */
  readonly model: ProgramModel;
  readonly openModel: (asked: AskedModel, now: ResolvedConfig) => Promise<ProgramModel>;
  readonly fork: (thread: HostedThread<Follower>, request: ForkRequest<Follower>) => Promise<HostedOpening<Follower>>;
  /** Null: nothing is, since nobody said anything. */
  readonly loadKept: () => Promise<StoredThread | null>;
  readonly keeper: HandleKeeper<Follower>;
  readonly follower: Follower;
  readonly hold: PlanHold;
  readonly isEphemeral: boolean;
  /** Whether something was said in it, so that it can be woken. */
  readonly isKept: boolean;
  readonly forkedFrom: string | null;
  readonly preview: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly clock: Pick<Clock, "now">;
  readonly shown: ShownItems;
  /** Resolves when whoever opened it was told so: what happened while it was opened comes behind that. */
  readonly released: Promise<void>;
}

interface RunningTurn {
  readonly stop: AbortController;
  /** Null: it has not begun. */
  id: string | null;
}

type OpenTurn = (thread: Thread, signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>;

/** How many events may wait for one reader. */
const capacity = 10_000;

/** A hosted thread, as its host has it: it can be put to sleep and closed. */
export class ThreadHandle<Follower> implements HostedThread<Follower>, AsyncDisposable {
  readonly id: string;
  preview: string;
  usedAt: number;
  readonly #parts: HandleParts<Follower> & { readonly follower: ThreadClient };
  readonly #ending = new AbortController();
  readonly #feed: Broadcast<NumberedEvent>;
  #seq = 0;
  #model: ProgramModel;
  /** Null: it sleeps. */
  #awake: AwakeThread | null;
  #waking: Promise<AwakeThread> | null = null;
  #sleeping: Promise<void> | null = null;
  /** As it was when it went to sleep. */
  #asleep: Pick<Thread, "config" | "name">;
  /** Calls that have the thread at the moment. */
  #uses = 0;
  #isKept: boolean;
  #running: RunningTurn | null = null;
  #beforePlan: ThreadChange | null = null;
  /** What was told when it was opened: that is not said again when it wakes. */
  readonly #toldAtOpening = new Set<string>();
  /** Null: it has not begun. */
  #reading: Promise<void> | null = null;

  constructor(parts: HandleParts<Follower> & { readonly follower: ThreadClient }) {
    const { thread } = parts.first;
    this.id = thread.id;
    this.#parts = parts;
    this.#model = parts.model;
    this.#awake = parts.first;
    this.#asleep = thread;
    this.#isKept = parts.isKept;
    this.preview = parts.preview;
    this.usedAt = parts.usedAt;
    const skip = (count: number): ThreadEvent => ({ type: "events.skipped", count });
    this.#feed = createBroadcast({
      capacity,
      onSkipped: (count, next) => ({ ...next, seq: next.seq - 1, event: skip(count) }),
    });
    void parts.released.then(() => (this.#reading = this.#tellBetweenTurns(thread, null)));
  }

  get follower(): Follower {
    return this.#parts.follower;
  }

  get config(): ResolvedConfig {
    return (this.#awake?.thread ?? this.#asleep).config;
  }

  get name(): string | null {
    return (this.#awake?.thread ?? this.#asleep).name;
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

  get isPlanning(): boolean {
    return this.#parts.hold.isOn;
  }

  /** Whether it can sleep: nothing happens in it, nothing that it started runs, and all of it is kept. */
  get isIdle(): boolean {
    if (this.#awake === null || this.#uses > 0 || this.isRunning || this.isEphemeral || !this.#isKept) return false;
    return this.#awake.thread.sessions.list().every(({ isRunning }) => !isRunning);
  }

  mcpServers(): ReturnType<Thread["mcpServers"]> {
    return this.#awake?.thread.mcpServers() ?? [];
  }

  rename(name: string | null): Promise<void> {
    return this.#use(async (thread) => thread.rename(name));
  }

  async change(change: ThreadChange): Promise<void> {
    if (Object.keys(change).length > 0) await this.#use(async (thread) => void thread.change(change));
  }

  async setPlanMode(isOn: boolean, change: ThreadChange = {}): Promise<void> {
    const { hold } = this.#parts;
    if (isOn === hold.isOn) return this.change(change);
    if (isOn) {
      const { sandboxSettings, approvalPolicy, approvalQuestions } = this.config;
      this.#beforePlan = { sandboxSettings, approvalPolicy, approvalQuestions };
      hold.isOn = true; // a call may be judged while the rest is changed
      await this.change({
        ...change,
        sandboxSettings: { ...sandboxSettings, ...change.sandboxSettings, mode: "read-only" },
      });
    } else {
      await this.change({ ...this.#beforePlan, ...change });
      hold.isOn = false;
    }
  }

  chooseModel(asked: AskedModel): Promise<void> {
    return this.#use(async (thread) => {
      this.#checkIdle();
      const next = await this.#parts.openModel(asked, thread.config);
      try {
        // whoever names another model has said so by that
        await thread.chooseModel(next.config, { allowPrefixBreak: true, signal: this.#ending.signal });
      } catch (error) {
        await next[Symbol.asyncDispose]();
        throw error;
      }
      const before = this.#model;
      this.#model = next;
      await before[Symbol.asyncDispose]();
    });
  }

  async run(input: UserInput, { change = {}, outputSchema = null }: HostedTurnOptions = {}): Promise<StartedTurn> {
    if (change.cwd !== undefined) await checkFolder(change.cwd);
    this.#checkIdle();
    await this.change(change);
    this.preview ||= toPreview(input);
    const said = this.isPlanning
      ? [...toParts(input), { type: "text", text: planInstructions, isAdded: true } as const]
      : input;
    const options = outputSchema === null ? {} : { outputSchema };
    return this.#begin((thread, signal) => thread.run(said, { signal, ...options }));
  }

  async compact(options: { readonly focus?: string } = {}): Promise<StartedTurn> {
    return this.#begin((thread, signal) => thread.compact({ ...options, signal }));
  }

  async steer(turnId: string, input: UserInput): Promise<void> {
    this.#checkRunning(turnId);
    await this.#use((thread) => thread.send(input));
  }

  interrupt(turnId: string): void {
    this.#checkRunning(turnId).stop.abort();
  }

  cancel(): void {
    this.#running?.stop.abort();
  }

  async rewind(turns: number): Promise<StoredThread | null> {
    this.#checkIdle();
    this.#checkKept("no turn of it can be taken back");
    await this.#use((thread) => thread.rewind(turns));
    const stored = await this.#parts.loadKept();
    this.preview = stored === null ? "" : findPreview(stored.entries);
    return stored;
  }

  async fork(request: ForkRequest<Follower>): Promise<HostedOpening<Follower>> {
    this.#checkKept("it cannot be copied");
    return this.#parts.fork(this, request);
  }

  events(options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<NumberedEvent, void> {
    return this.#feed.read(options);
  }

  /** Gives back what it holds open. Nothing happens where it is not idle. */
  async sleep(): Promise<void> {
    const awake = this.#awake;
    if (awake === null || !this.isIdle) return;
    this.#asleep = { config: awake.thread.config, name: awake.thread.name };
    this.#awake = null;
    this.#sleeping = this.#close(awake).finally(() => (this.#sleeping = null));
    await this.#sleeping.catch((error: unknown) => this.#tellFailure(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running?.stop.abort();
    this.#ending.abort();
    await this.#sleeping?.catch(() => {}); // told when it went to sleep
    const awake = this.#awake ?? (await this.#waking?.catch(() => null)) ?? null;
    this.#asleep = { config: this.config, name: this.name };
    this.#awake = null;
    try {
      if (awake !== null) await this.#close(awake);
    } finally {
      await this.#model[Symbol.asyncDispose]();
      this.#feed.close();
    }
  }

  async #close(awake: AwakeThread): Promise<void> {
    try {
      await awake[Symbol.asyncDispose]();
    } finally {
      await this.#reading; // until what the end told is told
    }
  }

  /** The thread, awake until `work` is done. */
  async #use<Value>(work: (thread: Thread) => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    this.#parts.keeper.onUse(this);
    try {
      const { thread } = await this.#wake();
      const done = await work(thread);
      this.#noteUse();
      return done;
    } finally {
      this.#uses -= 1;
      this.#parts.keeper.onRest();
    }
  }

  async #wake(): Promise<AwakeThread> {
    await this.#sleeping?.catch(() => {});
    if (this.#ending.signal.aborted)
      throw new ThreadHostError("thread_not_open", `The thread ${this.id} was closed: open it again.`);
    if (this.#awake !== null) return this.#awake;
    this.#waking ??= this.#openAgain().finally(() => (this.#waking = null));
    return this.#waking;
  }

  async #openAgain(): Promise<AwakeThread> {
    const awake = await this.#parts.wake(this.#asleep.config);
    this.#awake = awake;
    this.#reading = this.#tellBetweenTurns(awake.thread, new Set(this.#toldAtOpening));
    return awake;
  }

  #begin(open: OpenTurn): Promise<StartedTurn> {
    this.#checkIdle();
    const turn: RunningTurn = { stop: new AbortController(), id: null };
    this.#running = turn;
    return this.#use((thread) => this.#start(open(thread, turn.stop.signal), turn)).catch((error: unknown) => {
      this.#end(turn);
      throw error;
    });
  }

  async #start(events: ReturnType<OpenTurn>, turn: RunningTurn): Promise<StartedTurn> {
    const [begun, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const ended = this.#pump(events, turn, (id) => {
      begun.resolve(id);
      return untilAborted(released.promise, this.#ending.signal);
    });
    ended.catch((error: unknown) => {
      begun.reject(error);
      if (turn.id !== null) this.#tellFailure(error);
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
        if (event.type === "turn.started") {
          this.#isKept = true;
          await onBegin((turn.id = event.turn_id));
        }
        if (event.type === "turn.completed" || event.type === "turn.failed") this.#end(turn);
        this.#noteUse();
        if (turn.id !== null) await this.#tell(event, turn.id);
      });
    } finally {
      this.#end(turn);
      this.#parts.keeper.onRest();
    }
  }

  #noteUse(): void {
    this.usedAt = this.#parts.clock.now();
  }

  /** The next turn may begin once the last event of this one is on its way. */
  #end(turn: RunningTurn): void {
    if (this.#running === turn) this.#running = null;
  }

  async #tell(event: ThreadEvent, turnId: string | null): Promise<void> {
    const { follower, shown } = this.#parts;
    this.#feed.publish({ threadId: this.id, turnId, seq: this.#seq++, at: this.#parts.clock.now(), event });
    await follower.tell(event, this);
    shown.note(event);
  }

  #tellFailure(error: unknown): void {
    void this.#tell({ type: "warning", message: toProgramFailure(error).error.message }, null);
  }

  /** MCP servers that come up, commands that end: by themselves, and with the thread, which ends this. `known`: what it says once more as it wakes; null: it was just opened. */
  async #tellBetweenTurns(thread: Thread, known: Set<string> | null): Promise<void> {
    for await (const { event } of thread.events({ ofTurns: false })) {
      const text = JSON.stringify(event);
      if (known === null && !this.#isKept) this.#toldAtOpening.add(text);
      if (known?.delete(text) !== true) await this.#tell(event, null);
    }
  }

  #checkIdle(): void {
    if (this.#running === null) return;
    throw new ThreadHostError("turn_runs", "A turn runs in this thread: steer it, interrupt it, or wait for its end.");
  }

  #checkKept(what: string): void {
    if (this.isEphemeral) throw new ThreadHostError("not_kept", `Nothing of this thread is kept, so ${what}.`);
  }

  #checkRunning(turnId: string): RunningTurn {
    if (this.#running !== null && this.#running.id === turnId) return this.#running;
    throw new ThreadHostError("turn_not_running", `The turn ${turnId} does not run in thread ${this.id}.`);
  }
}

function toParts(input: UserInput): readonly UserInputPart[] {
  return typeof input === "string" ? [{ type: "text", text: input }] : input;
}
