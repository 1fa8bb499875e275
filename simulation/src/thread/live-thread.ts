import type { ResolvedConfig } from "@unroll/config";
import type { Harness, Thread } from "@unroll/harness";
import { openThreadStoreOn } from "@unroll/rollout";
import type { HistoryLaws } from "../law/history-laws.ts";
import type { LawBook } from "../law/law-book.ts";
import type { RequestLaws } from "../law/request-laws.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import { bootHarness, type World } from "./boot.ts";
import type { ConfigChoice } from "./load-configs.ts";

/** The parts of a simulation when its thread starts. */
export interface Scene {
  readonly world: World;
  readonly book: LawBook;
  readonly laws: RequestLaws;
  readonly history: HistoryLaws;
  /** `killAt`: before which of its steps it is killed; null: never. */
  readonly startProcess: (killAt: number | null) => SimulatedProcess;
  readonly toConfig: (choice: ConfigChoice) => ResolvedConfig;
  /** A number that was never given before. */
  readonly count: () => number;
}

/** A thread that is open in a process. */
export interface Running {
  readonly process: SimulatedProcess;
  readonly harness: Harness;
  readonly thread: Thread;
}

const firstChoice: ConfigChoice = {
  model: "gpt-5-codex",
  fallbacks: [],
  shellTool: "shell_command",
  instructions: null,
  limit: null,
  maxSteps: null,
  maxTimeMs: null,
  maxTokens: null,
  maxCost: null,
  servers: 0,
  approvalPolicy: "never",
  mcpMode: "auto",
  mcpWriteMode: null,
};

/** One thread through all its processes. */
export class LiveThread {
  readonly #scene: Scene;
  #running: Running | null = null;
  #threadId: string | null = null;
  #opened = 0;
  /** Messages that were sent in this process and that the model must get. */
  #sent: (readonly [text: string, isHeard: () => boolean])[] = [];
  choice: ConfigChoice = firstChoice;
  /** From now on no process is killed. */
  isCalm = false;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The thread's id; empty before it was first opened. */
  get id(): string {
    return this.#threadId ?? "";
  }

  /** How often it was opened, resumed or forked. */
  get opened(): number {
    return this.#opened;
  }

  /** The thread where it is open, else in a process of its own. */
  async open(): Promise<Running> {
    if (this.#running !== null) return this.#running;
    const { world, startProcess, toConfig } = this.#scene;
    const { chance, disk } = world;
    const process = startProcess(
      this.isCalm || chance.happens(0.5) ? null : 1 + chance.below(chance.pick(20, 100, 300)),
    );
    const id = this.#threadId;
    const isKept = id !== null && disk.bytesOf(id).length > 0;
    world.setRules(this.choice);
    const harness = await process.outlive(bootHarness(process, world, toConfig(this.choice)));
    const opening = isKept ? harness.resumeThread(id, { allowCacheBreak: true }) : harness.openThread();
    const thread = await process.outlive(opening);
    this.#threadId = thread.id;
    this.#opened += 1;
    this.#running = { process, harness, thread };
    this.#scene.laws.announce(thread.id, thread.config.model);
    return this.#running;
  }

  /** Continues in a fork of the thread, in the same process. */
  async fork(): Promise<void> {
    const running = await this.open();
    const { process, harness, thread } = running;
    const fork = await process.outlive(harness.forkThread(thread.id, { allowCacheBreak: true }));
    this.#scene.laws.fork(fork.id, thread.id);
    this.#expectNothing();
    await process.outlive(thread[Symbol.asyncDispose]());
    this.#threadId = fork.id;
    this.#opened += 1;
    this.#running = { ...running, thread: fork };
    this.#scene.laws.announce(fork.id, fork.config.model);
  }

  /** Ends the process as a program ends. */
  async close(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.forget();
    const { process, harness } = running;
    await process.outlive(harness[Symbol.asyncDispose]());
    await process.outlive(process.wait(0)); // sockets report their end
    if (process.timers > 0) this.#scene.book.breach(`${process.timers} timers are left when all is closed`);
  }

  /** Reads the thread again, in a process of its own. */
  async check(): Promise<void> {
    const id = this.#threadId;
    const { world, history, startProcess } = this.#scene;
    if (id === null || world.disk.bytesOf(id).length === 0) return;
    const process = startProcess(null);
    const store = openThreadStoreOn(world.disk.filesFor(process), process.clock);
    const { entries } = await process.outlive(store.load(id));
    history.check(entries);
  }

  /** Its process is gone. */
  forget(): void {
    this.#running = null;
    this.#expectNothing();
  }

  async send(text: string): Promise<void> {
    const { process, thread } = await this.open();
    this.#sent.push([text, this.#scene.laws.expect(text)]);
    await process.outlive(thread.send(text));
  }

  /**
   * Takes the messages that were sent so far, and returns a check that requests had all of them. Call this before a
   * turn, and the check if the turn ends well.
   */
  takeSent(): () => void {
    const sent = this.#sent;
    this.#sent = [];
    return () => {
      for (const [text, isHeard] of sent) if (!isHeard()) this.#scene.book.breach(`never heard: ${text}`);
    };
  }

  #expectNothing(): void {
    for (const [, isHeard] of this.#sent) isHeard();
    this.#sent = [];
  }
}
