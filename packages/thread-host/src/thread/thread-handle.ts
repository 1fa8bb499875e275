import type { ResolvedConfig } from "@unroll/config";
import { forEach, untilAborted } from "@unroll/flow";
import type { CompactionPreview, Thread, ThreadChange } from "@unroll/harness";
import {
  type JournalEntry,
  noTokenUsage,
  type NumberedEvent,
  type StoredThread,
  type ThreadEvent,
  type ThreadItem,
  type TurnOutcome,
  type UserInput,
} from "@unroll/protocol";
import { toSideInput, toSidePast, toSideSettings } from "@unroll/use-cases/side-question";
import { checkFolder } from "../check-folder.ts";
import { findPreview, toPreview } from "../history/stored-turns.ts";
import { checkEffort } from "../settings/check-effort.ts";
import type { SettledSettings } from "../settings/requested-settings.ts";
import { ThreadHostError } from "../thread-host-error.ts";
import { type Claim, ClaimSlot } from "./claim-slot.ts";
import type { HandleParts } from "./handle-parts.ts";
import { HandleSettings } from "./handle-settings.ts";
import { HostedEvents } from "./hosted-events.ts";
import type {
  BesideWork,
  ForkRequest,
  HostedOpening,
  HostedSettings,
  HostedThread,
  HostedTurnOptions,
  RequestedModel,
  StartedTurn,
} from "./hosted-thread.ts";
import { runOwnTurn } from "./run-own-turn.ts";
import { ThreadAccess } from "./thread-access.ts";
import type { ThreadClient } from "./thread-client.ts";

type OpenTurn = (thread: Thread, signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>;

/** A thread of a host, as its host has it: it can be put to sleep and closed. */
export class ThreadHandle<Client extends ThreadClient> implements HostedThread<Client>, AsyncDisposable {
  readonly id: string;
  preview: string;
  usedAt: number;
  readonly #parts: HandleParts<Client>;
  readonly #access: ThreadAccess;
  readonly #events: HostedEvents<Client>;
  readonly #claims: ClaimSlot;
  readonly #settings: HandleSettings;
  #isStored: boolean;

  constructor(parts: HandleParts<Client>) {
    const { first, wake } = parts;
    this.id = first.thread.id;
    this.#parts = parts;
    this.#events = new HostedEvents(parts, this);
    this.#claims = new ClaimSlot(this.id);
    this.#access = new ThreadAccess({ first, wake, onEvent: (event) => this.#tellBetweenTurns(event) });
    this.#settings = new HandleSettings(parts);
    this.#isStored = parts.isStored;
    this.preview = parts.preview;
    this.usedAt = parts.usedAt;
  }

  get client(): Client {
    return this.#parts.client;
  }

  get config(): ResolvedConfig {
    return this.#access.facts.config;
  }

  get name(): string | null {
    return this.#access.facts.name;
  }

  get isEphemeral(): boolean {
    return this.#parts.isEphemeral;
  }

  get isSaved(): boolean {
    return this.#isStored && !this.isEphemeral;
  }

  get origin(): HostedThread<Client>["origin"] {
    return this.#parts.origin;
  }

  get forkedFrom(): string | null {
    return this.#parts.forkedFrom;
  }

  get createdAt(): number {
    return this.#parts.createdAt;
  }

  get isRunning(): boolean {
    return this.#claims.current !== null;
  }

  get turnId(): string | null {
    return this.#claims.current?.turnId ?? null;
  }

  get isPlanning(): boolean {
    return this.#parts.plan.isOn;
  }

  get beforePlanning(): ThreadChange {
    return this.#parts.plan.before;
  }

  /** Whether it can sleep: nothing happens in it, and all of it is stored. */
  get isIdle(): boolean {
    return this.#access.isIdle && !this.isRunning && this.isSaved;
  }

  /** Lets the events between turns out: the caller knows the thread now. */
  release(): void {
    this.#access.release();
    this.#parts.registry.onRest();
  }

  mcpServers(): ReturnType<Thread["mcpServers"]> {
    return this.#access.mcpServers;
  }

  get waitingCalls(): Thread["waitingCalls"] {
    return this.#access.waitingCalls;
  }

  get backgroundCommands(): Thread["backgroundCommands"] {
    return this.#access.backgroundCommands;
  }

  get agents(): Thread["agents"] | null {
    return this.#access.agents;
  }

  async callTool(...[name, input, options]: Parameters<Thread["callTool"]>): Promise<ThreadItem | null> {
    let item: ThreadItem | null = null;
    await this.#use(async (thread) => {
      await forEach(thread.callTool(name, input, options), async (event) => {
        this.#parts.shown.note(event); // nobody waits for an item that is not shown
        if (event.type === "item.completed") item = event.item;
        if (event.type === "warning") await this.#events.tell(event, null);
      });
    });
    return item;
  }

  rename(name: string | null): Promise<void> {
    return this.#use(async (thread) => thread.rename(name));
  }

  async configure(settings: HostedSettings): Promise<void> {
    if (settings.change?.cwd !== undefined) await checkFolder(settings.change.cwd);
    if (settings.model) return this.#alone((thread, signal) => this.#settings.configure(thread, settings, signal));
    return this.#use((thread) => this.#settings.configure(thread, settings, this.#access.closing));
  }

  async change(change: ThreadChange): Promise<void> {
    if (change.cwd !== undefined) await checkFolder(change.cwd);
    checkEffort(change, this.config);
    if (Object.keys(change).length > 0) await this.#use(async (thread) => this.#settings.apply(thread, change));
  }

  setPlanMode(isOn: boolean, change: ThreadChange = {}): Promise<void> {
    if (isOn === this.isPlanning) return this.change(change);
    return this.#parts.plan.toggle(change, {
      config: this.config,
      change: (settings) => this.#use(async (thread) => void thread.change(settings)),
      note: (write) => this.#use(async ({ notes }) => write(notes)),
    });
  }

  chooseModel(requested: RequestedModel | SettledSettings): Promise<void> {
    return this.#alone((thread, signal) => this.#settings.switchModel(thread, requested, { signal }));
  }

  async run(input: UserInput, options: HostedTurnOptions = {}): Promise<StartedTurn> {
    const { change, outputSchema = null, schemaRepairs } = options;
    const wish = {
      ...(outputSchema !== null && { outputSchema }),
      ...(schemaRepairs !== undefined && { schemaRepairs }),
    };
    if (change?.cwd !== undefined) await checkFolder(change.cwd);
    const prepare = async (thread: Thread, signal: AbortSignal): Promise<void> => {
      await this.#settings.configure(thread, options, signal);
      this.preview ||= toPreview(input);
    };
    const isEmpty = input.length === 0; // it continues the thread, which asks again
    const open: OpenTurn = (thread, signal) =>
      thread.run(isEmpty ? input : this.#parts.plan.addTo(input), { signal, ...wish });
    const turn = await this.#startTurn(open, prepare);
    this.#isStored = true;
    return turn;
  }

  async runBeside(work: BesideWork): Promise<StartedTurn> {
    const { newId } = this.#parts;
    const claim = this.#claims.current;
    const turnId = claim?.turnId ?? null;
    if (claim === null || turnId === null)
      return this.#startTurn((_, signal) => runOwnTurn(newId(), work(signal), signal));
    const signal = AbortSignal.any([claim.stop.signal, this.#access.closing]);
    const released = Promise.withResolvers<void>();
    const ended = this.#use(async () => {
      await untilAborted(released.promise, signal);
      await forEach(work(signal), (event) => this.#events.tell(event, turnId));
      return { type: "completed", finalMessage: null, usage: noTokenUsage } as const;
    });
    ended.catch((error: unknown) => this.#events.tellFailure(error));
    return { id: turnId, release: released.resolve, ended };
  }

  compact(options: { readonly focus?: string } = {}): Promise<StartedTurn> {
    return this.#startTurn((thread, signal) => thread.compact({ ...options, signal }));
  }

  previewCompaction(): Promise<CompactionPreview> {
    return this.#use((thread) => thread.previewCompaction());
  }

  undoCompaction(): Promise<void> {
    return this.#alone((thread) => thread.undoCompaction());
  }

  send(input: UserInput): Promise<void> {
    return this.#use((thread) => thread.send(this.#parts.plan.addTo(input)));
  }

  unsend(): Promise<number> {
    return this.#use((thread) => thread.unsend());
  }

  async steer(turnId: string, input: UserInput, change: ThreadChange = {}): Promise<void> {
    this.#claims.find(turnId);
    if (change.cwd !== undefined) await checkFolder(change.cwd);
    await this.#use(async (thread) => {
      this.#claims.find(turnId); // it may have ended since
      await this.#settings.configure(thread, { change }, this.#access.closing);
      return thread.send(input);
    });
  }

  interrupt(turnId: string): void {
    this.#claims.find(turnId).stop.abort();
  }

  cancel(): void {
    this.#claims.current?.stop.abort();
  }

  rewind(turns: number): Promise<StoredThread | null> {
    return this.#alone(async (thread) => {
      this.#checkStored("no turn of it can be removed");
      await thread.rewind(turns);
      const stored = await this.load();
      this.preview = stored === null ? "" : findPreview(stored.entries);
      return stored;
    });
  }

  async fork(request: ForkRequest<Client>): Promise<HostedOpening<Client>> {
    this.#checkStored("it cannot be copied");
    const opening = await this.#parts.fork(this, request);
    const { plan } = this.#parts;
    if (plan.isOn) {
      await opening.thread.change(plan.before);
      await opening.thread.setPlanMode(true);
    }
    return opening;
  }

  async *askAside(question: string, signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome> {
    const { config } = this;
    await using aside = await this.#parts.openAside(config, toSidePast(await this.entries()));
    aside.thread.change(toSideSettings(config));
    return yield* aside.thread.run(toSideInput(question), { signal });
  }

  load(): Promise<StoredThread | null> {
    return this.#parts.loadStored();
  }

  entries(): Promise<readonly JournalEntry[]> {
    return this.#parts.readEntries();
  }

  events(options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<NumberedEvent, void> {
    return this.#events.read(options);
  }

  /** Gives back what it holds open. Nothing happens where it is not idle. Never rejects. */
  async sleep(): Promise<void> {
    if (this.isIdle) await this.#access.sleep().catch((error: unknown) => this.#events.tellFailure(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
    try {
      await this.#access.close();
    } finally {
      this.#events.close();
      await this.#settings[Symbol.asyncDispose]();
    }
  }

  /** A command or a sub-agent in the background may have been the last thing that kept the thread awake. */
  async #tellBetweenTurns(event: ThreadEvent): Promise<void> {
    await this.#events.tellBetweenTurns(event);
    if (event.type === "item.completed") this.#parts.registry.onRest();
  }

  /** The thread, awake until `work` is done, which ends the claim. */
  async #use<Value>(work: (thread: Thread) => Promise<Value>, claim: Claim | null = null): Promise<Value> {
    const { registry } = this.#parts;
    registry.onUse(this.id);
    try {
      const done = await this.#access.use(work);
      this.#noteUse();
      return done;
    } finally {
      if (claim !== null) this.#claims.end(claim);
      registry.onRest();
    }
  }

  /** No turn, and nothing else that is alone, runs beside `work`. Throws `ThreadHostError` `turn_runs`. */
  async #alone<Value>(work: (thread: Thread, signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const claim = this.#claims.take();
    return this.#use((thread) => work(thread, claim.stop.signal), claim);
  }

  /** The claim comes before `prepare`: what a refused turn asks for changes nothing. */
  async #startTurn(
    open: OpenTurn,
    prepare: (...args: Parameters<OpenTurn>) => Promise<void> = async () => {},
  ): Promise<StartedTurn> {
    const claim = this.#claims.take();
    const [started, released] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const onStart = (turnId: string): Promise<unknown> => {
      claim.turnId = turnId;
      this.#access.endOpening();
      started.resolve(turnId);
      return untilAborted(released.promise, this.#access.closing);
    };
    const pump = async (thread: Thread): Promise<TurnOutcome> => {
      await prepare(thread, claim.stop.signal);
      return this.#pump(open(thread, claim.stop.signal), claim, onStart);
    };
    const ended = this.#use(pump, claim);
    ended.then(
      () => {
        const isClosed = this.#access.closing.aborted;
        const message = `The ${isClosed ? "thread was closed" : "turn was cancelled"} before the turn started.`;
        started.reject(new ThreadHostError(isClosed ? "thread_not_open" : "turn_not_running", message));
      },
      (error: unknown) => {
        started.reject(error);
        if (claim.turnId !== null) this.#events.tellFailure(error);
      },
    );
    return { id: await started.promise, release: released.resolve, ended };
  }

  /** Events before the start of the turn belong between turns. */
  #pump(
    events: ReturnType<OpenTurn>,
    claim: Claim,
    onStart: (turnId: string) => Promise<unknown>,
  ): Promise<TurnOutcome> {
    return forEach(events, async (event) => {
      if (event.type === "turn.started") await onStart(event.turn_id);
      const { turnId } = claim;
      // the next turn may start once the last event of this one is on its way
      if (event.type === "turn.completed" || event.type === "turn.failed") this.#claims.end(claim);
      this.#noteUse();
      if (turnId !== null) await this.#events.tell(event, turnId);
    });
  }

  #noteUse(): void {
    this.usedAt = this.#parts.clock.now();
  }

  #checkStored(what: string): void {
    if (this.isEphemeral) throw new ThreadHostError("not_kept", `Nothing of this thread is saved, so ${what}.`);
  }
}
