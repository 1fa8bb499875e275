import type { Thread } from "@unroll/harness";
import { openThreadStoreOn } from "@unroll/rollout";
import { checkStates, followFamily, type Family } from "./follow-family.ts";
import { simulatedRoles } from "../simulated-roles.ts";
import type { LiveProgram, RunningProgram, Scene } from "./live-program.ts";

/** A thread that is open in a process. */
export interface Running extends RunningProgram {
  readonly thread: Thread;
  /** The thread and its sub-agents. */
  readonly family: Family;
}

/** One thread through all processes of a program. */
export class LiveThread {
  readonly #scene: Scene;
  readonly program: LiveProgram;
  #running: Running | null = null;
  #threadId: string | null = null;
  #opened = 0;
  /** Messages that were sent in this process and that the model must get. */
  #sent: (readonly [text: string, isHeard: () => boolean])[] = [];

  constructor(scene: Scene, program: LiveProgram) {
    this.#scene = scene;
    this.program = program;
  }

  /** The thread's id; empty before it was first opened. */
  get id(): string {
    return this.#threadId ?? "";
  }

  /** How often it was opened, resumed or forked. */
  get opened(): number {
    return this.#opened;
  }

  /** The thread where it is open, else in the process that runs. */
  async open(): Promise<Running> {
    if (this.#running !== null) return this.#running;
    const running = await this.program.open();
    const { process, harness } = running;
    const id = this.#threadId;
    const isKept = id !== null && this.#scene.world.disk.bytesOf(id).length > 0;
    // a sub-agent keeps its role, also where the program has it no more
    const hasRoles = running.choice.agents !== null && this.#scene.world.chance.happens(0.7);
    const options = { allowCacheBreak: true, ...(hasRoles && { agents: simulatedRoles }) };
    const opening = isKept ? harness.resumeThread(id, options) : harness.openThread(options);
    const opened = this.#begin(running, await process.outlive(opening));
    this.program.onEnd(async (how) => {
      this.#expectNothing();
      const family = this.#running?.family;
      this.#running = null;
      if (how === "faulty" && this.#threadId !== null) this.#scene.history.forgetAgents(this.#threadId);
      if (how === "whole") await process.outlive(family?.check() ?? Promise.resolve());
    });
    return opened;
  }

  /** Continues in a fork of the thread, in the same process. */
  async fork(): Promise<void> {
    const { family, ...running } = await this.open();
    const { process, harness, thread } = running;
    const fork = await process.outlive(harness.forkThread(thread.id, { allowCacheBreak: true }));
    this.#scene.world.setRules(running.choice);
    this.#scene.laws.fork(fork.id, thread.id);
    this.#expectNothing();
    this.#begin(running, fork);
    await process.outlive(thread[Symbol.asyncDispose]());
    await process.outlive(family.check());
  }

  #begin(running: RunningProgram, thread: Thread): Running {
    const { laws, agents } = this.#scene;
    agents.own(thread.id);
    this.#threadId = thread.id;
    this.#opened += 1;
    const family = followFamily(this.#scene, { ...running, thread });
    checkStates(thread, this.#scene.book, agents);
    this.#running = { ...running, thread, family };
    laws.announce(thread.id, thread.config.model);
    return this.#running;
  }

  /** Reads the thread again, in a process of its own. */
  async check(): Promise<void> {
    const id = this.#threadId;
    const { world, history, startProcess } = this.#scene;
    if (id === null || world.disk.bytesOf(id).length === 0) return;
    const process = startProcess(null);
    const store = openThreadStoreOn(world.disk.filesFor(process), process.clock);
    const { entries } = await process.outlive(store.load(id));
    history.check(id, entries);
  }

  /** Whether it is still open in the process in which it was opened. */
  isOpen({ thread, process }: Running): boolean {
    return this.#running?.thread === thread && this.program.isOpen(process);
  }

  /** Sends a message, unless the thread was closed since. */
  async send(text: string, running: Running): Promise<void> {
    if (!this.isOpen(running)) return;
    const { process, thread } = running;
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
