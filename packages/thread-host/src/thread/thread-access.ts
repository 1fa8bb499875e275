import type { ResolvedConfig } from "@unroll/config";
import type { Thread } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import { ThreadHostError } from "../thread-host-error.ts";

/** A thread, and its hold on a harness; disposing it ends both. */
export interface AwakeThread extends AsyncDisposable {
  readonly thread: Thread;
}

export interface ThreadAccessParts {
  readonly first: AwakeThread;
  /** Opens the thread again after it slept. */
  readonly wake: (config: ResolvedConfig) => Promise<AwakeThread>;
  /** Receives the events between turns, in order. It must not reject. */
  readonly onEvent: (event: ThreadEvent) => Promise<void>;
}

/** Access to the thread behind a handle. The thread can sleep while nobody uses it; its next use wakes it. */
export class ThreadAccess {
  readonly #parts: ThreadAccessParts;
  readonly #id: string;
  readonly #closing = new AbortController();
  /** Null: it sleeps, or is closed. */
  #awake: AwakeThread | null;
  #waking: Promise<AwakeThread> | null = null;
  #sleeping: Promise<void> | null = null;
  /** The thread as it was when it went to sleep. */
  #asleep: Pick<Thread, "config" | "name">;
  #uses = 0;
  /** Null: nobody reads the events between turns yet. */
  #reading: Promise<void> | null = null;
  /** Events of the opening, which are not repeated when the thread wakes. */
  readonly #openingEvents = new Set<string>();
  #isOpening = true;

  constructor(parts: ThreadAccessParts) {
    this.#parts = parts;
    this.#awake = parts.first;
    this.#asleep = parts.first.thread;
    this.#id = parts.first.thread.id;
  }

  /** As it is now, or was when it went to sleep. */
  get facts(): Pick<Thread, "config" | "name"> {
    return this.#awake?.thread ?? this.#asleep;
  }

  get mcpServers(): ReturnType<Thread["mcpServers"]> {
    return this.#awake?.thread.mcpServers() ?? [];
  }

  get waitingCalls(): Thread["waitingCalls"] {
    return this.#awake?.thread.waitingCalls ?? [];
  }

  get backgroundCommands(): Thread["backgroundCommands"] {
    return this.#awake?.thread.backgroundCommands ?? { list: () => [], tail: () => null, kill: async () => false };
  }

  get agents(): Thread["agents"] | null {
    return this.#awake?.thread.agents ?? null;
  }

  /** Whether it is awake, nobody uses it, no command and no sub-agent runs in it, and its opening is reported. */
  get isIdle(): boolean {
    if (this.#awake === null || this.#uses > 0 || this.#reading === null) return false;
    const { backgroundCommands, agents } = this.#awake.thread;
    return !agents.isRunning && backgroundCommands.list().every(({ isRunning }) => !isRunning);
  }

  /** Aborts when it closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Lets the events between turns out. */
  release(): void {
    if (this.#awake !== null && !this.closing.aborted) this.#reading ??= this.#read(this.#awake.thread, null);
  }

  /** Later reports are not part of the opening. */
  endOpening(): void {
    this.#isOpening = false;
  }

  /** The thread stays awake until `work` is done. Throws `ThreadHostError` `thread_not_open` once it closed. */
  async use<Value>(work: (thread: Thread) => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    try {
      const { thread } = await this.#wake();
      return await work(thread);
    } finally {
      this.#uses -= 1;
    }
  }

  /** Gives back what it holds. Nothing happens while it is in use. */
  async sleep(): Promise<void> {
    const awake = this.#awake;
    if (awake === null || !this.isIdle) return;
    this.#putDown(awake);
    this.#sleeping = this.#close(awake).finally(() => {
      this.endOpening();
      this.#sleeping = null;
    });
    await this.#sleeping;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sleeping?.catch(() => {}); // reported when it went to sleep
    const awake = this.#awake ?? (await this.#waking?.catch(() => null)) ?? null;
    if (awake === null) return;
    this.#putDown(awake);
    await this.#close(awake);
  }

  #putDown({ thread: { config, name } }: AwakeThread): void {
    this.#asleep = { config, name };
    this.#awake = null;
  }

  async #close(awake: AwakeThread): Promise<void> {
    try {
      await awake[Symbol.asyncDispose]();
    } finally {
      await this.#reading; // the end has events, too
    }
  }

  async #wake(): Promise<AwakeThread> {
    await this.#sleeping?.catch(() => {});
    if (this.closing.aborted)
      throw new ThreadHostError("thread_not_open", `The thread ${this.#id} was closed: open it again.`);
    if (this.#awake !== null) return this.#awake;
    this.#waking ??= this.#openAgain().finally(() => (this.#waking = null));
    return this.#waking;
  }

  async #openAgain(): Promise<AwakeThread> {
    const awake = await this.#parts.wake(this.#asleep.config);
    this.#awake = awake;
    this.#reading = this.#read(awake.thread, new Set(this.#openingEvents));
    return awake;
  }

  /** MCP servers that start, commands that end. Ends with the thread. `known`: what a thread repeats as it wakes; null: it was just opened. */
  async #read(thread: Thread, known: Set<string> | null): Promise<void> {
    for await (const { event } of thread.events({ ofTurns: false })) {
      const text = JSON.stringify(event);
      if (this.#isOpening) this.#openingEvents.add(text);
      if (known?.delete(text) !== true) await this.#parts.onEvent(event);
    }
  }
}
