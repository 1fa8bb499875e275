import { applyChange, type ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import type { Answer, PrefixQuestion, Question, ThreadEvent } from "@unroll/protocol";
import type { HostedOpening, HostedThread, ThreadClient, ThreadHost, ThreadRequest } from "@unroll/thread-host";

/** Where a thread comes from. */
export type ThreadSource =
  | { readonly type: "new" }
  /** `id`: or the start of one. */
  | { readonly type: "resume"; readonly id: string }
  /** A copy, with this many of its first turns; null: with all. */
  | { readonly type: "fork"; readonly id: string; readonly turns: number | null };

/** The answer "keep the thread's own model". */
interface OwnModelWish {
  readonly type: "own_model";
  readonly opened: PrefixQuestion["opened"];
}

/** Shows threads, and asks you. */
export interface ThreadDisplay {
  /** Shows another thread from now on, from its first event. */
  begin(): void;
  /** Shows an event of the current thread. The next event waits for it. */
  show(event: ThreadEvent): Promise<void> | void;
  /** A background command ended because you left its thread or its turn. */
  ended(command: string): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer | OwnModelWish>;
}

export interface TerminalThreadsOptions {
  readonly host: ThreadHost;
  readonly config: ResolvedConfig;
  /** New threads are not saved. */
  readonly isEphemeral: boolean;
  readonly own: NonNullable<ThreadRequest["own"]>;
  readonly display: ThreadDisplay;
  /** The config for the thread's own model, otherwise as `now`. Throws if its provider is no longer configured. */
  readonly loadOwnModel: (opened: PrefixQuestion["opened"], now: ResolvedConfig) => Promise<ResolvedConfig>;
}

/** The thread that you see, and the ways to another one. */
export class TerminalThreads implements AsyncDisposable {
  readonly #options: TerminalThreadsOptions;
  /** For the next threads. The current one may have other settings, if it was resumed. */
  #config: ResolvedConfig;
  #opening: HostedOpening<ThreadClient> | null = null;
  #wish: OwnModelWish | null = null;
  /** By the id of the thread: commands to keep when you leave it. */
  readonly #keptCommands = new Map<string, ReadonlySet<number>>();
  readonly #client: ThreadClient = {
    takes: [
      "command.approval",
      "patch.approval",
      "tool.approval",
      "host.approval",
      "model.questions",
      "server.form",
      "prefix.break",
    ],
    tell: async (event, { id }) => {
      if (id === this.#opening?.thread.id) await this.#options.display.show(event);
    },
    ask: async (question, signal) => {
      const answer = await this.#options.display.ask(question, signal);
      if (answer.type !== "own_model") return answer;
      this.#wish = answer;
      return null;
    },
  };

  private constructor(options: TerminalThreadsOptions) {
    this.#options = options;
    this.#config = options.config;
  }

  /** Opens the first thread. Throws what opening a thread throws. */
  static async open(options: TerminalThreadsOptions, first: ThreadSource): Promise<TerminalThreads> {
    const threads = new TerminalThreads(options);
    threads.#opening = await threads.#openSource(first);
    return threads;
  }

  get current(): HostedThread<ThreadClient> {
    if (this.#opening === null) throw new Error("No thread is open yet.");
    return this.#opening.thread;
  }

  /** Other threads whose background commands you kept, while these run. */
  get left(): readonly HostedThread<ThreadClient>[] {
    const { current } = this;
    return [...this.#options.host.threads.values()].filter((each) => each !== current && this.#keepsCommand(each));
  }

  /** The open threads of this program, and the saved ones. */
  get host(): Pick<ThreadHost, "threads" | "openStore" | "rename"> {
    return this.#options.host;
  }

  /** Shows the first thread, whose events begin with this call. */
  begin(): void {
    this.#options.display.begin();
    this.#opening?.release();
  }

  /** Changes the current thread, and those that are opened after it. */
  async change(change: ThreadChange): Promise<void> {
    await this.current.change(change);
    this.#config = applyChange(this.#config, change);
  }

  /**
   * Switches to another thread. The one before is closed, unless you kept one of its background commands. If the other one cannot be opened,
   * this throws and the current thread stays.
   */
  async open(source: ThreadSource): Promise<void> {
    const { display, host } = this.#options;
    const { current: before } = this;
    const opening = await this.#openSource(source);
    if (before.isPlanning && source.type !== "resume") await opening.thread.setPlanMode(true);
    this.#opening = opening;
    const isCopy = source.type === "fork" && source.id === before.id;
    if (!isCopy) display.begin();
    opening.release();
    if (before !== opening.thread && !this.#keepsCommand(before))
      await this.#endCommands(before, () => host.close(before.id));
  }

  /** Removes the last turns of the current thread. Throws as `HostedThread.rewind`. */
  async rewind(turns: number): Promise<void> {
    const { current } = this;
    await this.#endCommands(current, () => current.rewind(turns));
    this.#options.display.begin();
  }

  /** Switches the model. You are asked first if the whole thread would be resent. Throws as `Thread.chooseModel`. */
  async chooseModel(settled: ResolvedConfig): Promise<void> {
    try {
      await this.current.chooseModel({ settled });
      this.#config = settled;
    } finally {
      this.#wish = null; // here, to keep the model is the same as no
    }
  }

  /** Keeps a background command running when you switch threads. False: it does not run. */
  keepCommand(commandId: number): boolean {
    const { id, backgroundCommands } = this.current;
    if (!backgroundCommands.list().some((each) => each.id === commandId && each.isRunning)) return false;
    this.#keptCommands.set(id, new Set([...(this.#keptCommands.get(id) ?? []), commandId]));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.host[Symbol.asyncDispose]();
  }

  /** With the thread's own model, if you say so when you are asked. */
  async #openSource(source: ThreadSource): Promise<HostedOpening<ThreadClient>> {
    const { host, own, loadOwnModel } = this.#options;
    const origin = await this.#toOrigin(source);
    const open = (): Promise<HostedOpening<ThreadClient>> =>
      host.open({ origin, asked: { settled: this.#config }, client: this.#client, own });
    try {
      return await open();
    } catch (error) {
      if (this.#wish === null) throw error;
      this.#config = await loadOwnModel(this.#wish.opened, this.#config);
      return await open();
    } finally {
      this.#wish = null;
    }
  }

  async #toOrigin(source: ThreadSource): Promise<ThreadRequest["origin"]> {
    const { host, isEphemeral } = this.#options;
    if (source.type === "new") return { type: "new", isEphemeral };
    const stored = await host.load(source.id);
    return source.type === "resume"
      ? { type: "resumed", stored }
      : { type: "forked", stored, turns: source.turns, isEphemeral };
  }

  #keepsCommand({ id, backgroundCommands }: HostedThread<ThreadClient>): boolean {
    const kept = this.#keptCommands.get(id);
    return backgroundCommands.list().some((each) => each.isRunning && kept?.has(each.id) === true);
  }

  /** Says which background commands end with `end`. */
  async #endCommands(thread: HostedThread<ThreadClient>, end: () => Promise<unknown>): Promise<void> {
    const running = thread.backgroundCommands.list().filter(({ isRunning }) => isRunning);
    await end();
    for (const { command } of running) this.#options.display.ended(command);
  }
}
