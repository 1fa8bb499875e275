import type { ResolvedConfig } from "@unroll/config";
import type { Harness } from "@unroll/harness";
import type { AgentLaws } from "../law/agent-laws.ts";
import type { HistoryLaws } from "../law/history-laws.ts";
import type { LawBook } from "../law/law-book.ts";
import type { RequestLaws } from "../law/request-laws.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import { bootHarness, type World } from "./boot.ts";
import { type ConfigChoice, firstChoice, spawnLimits } from "./load-configs.ts";

/** The parts of a simulation when its threads start. */
export interface Scene {
  readonly world: World;
  readonly book: LawBook;
  readonly laws: RequestLaws;
  readonly agents: AgentLaws;
  readonly history: HistoryLaws;
  /** `killAt`: before which of its steps it is killed; null: never. */
  readonly startProcess: (killAt: number | null) => SimulatedProcess;
  readonly toConfig: (choice: ConfigChoice) => ResolvedConfig;
  /** A number that was never given before. */
  readonly count: () => number;
}

/** A harness in a process. */
export interface RunningProgram {
  readonly process: SimulatedProcess;
  readonly harness: Harness;
  /** The choice that it was started with. */
  readonly choice: ConfigChoice;
}

/** `faulty`: not all could be closed, or saved. */
type ProgramEnd = "whole" | "faulty" | "killed";

/** The program whose threads are simulated, through all its processes. */
export class LiveProgram {
  readonly #scene: Scene;
  #running: Promise<RunningProgram> | null = null;
  #process: SimulatedProcess | null = null;
  readonly #onEnd = new Set<(how: ProgramEnd) => Promise<void>>();
  /** For the next process. */
  choice: ConfigChoice = firstChoice;
  /** From now on no process is killed. */
  isCalm = false;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The harness that runs, else a new one in a process of its own. */
  open(): Promise<RunningProgram> {
    this.#running ??= this.#boot();
    return this.#running;
  }

  async #boot(): Promise<RunningProgram> {
    const { world, agents, startProcess, toConfig } = this.#scene;
    const { chance } = world;
    const process = startProcess(
      this.isCalm || chance.happens(0.5) ? null : 1 + chance.below(chance.pick(20, 100, 300)),
    );
    this.#process = process;
    const { choice } = this;
    world.setRules(choice);
    agents.begin(choice.agents ?? spawnLimits);
    return { process, choice, harness: await process.outlive(bootHarness(process, world, toConfig(choice))) };
  }

  /** Whether this process runs and is not about to end. */
  isOpen(process: SimulatedProcess): boolean {
    return this.#process === process;
  }

  /** `listener` is called at the end of the next process. */
  onEnd(listener: (how: ProgramEnd) => Promise<void>): void {
    this.#onEnd.add(listener);
  }

  /** Ends the process as a program ends. */
  async close(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    const { process, harness } = await running;
    const listeners = this.#end();
    let how: ProgramEnd = "faulty";
    try {
      await process.outlive(harness[Symbol.asyncDispose]());
      await process.outlive(process.wait(0)); // sockets report their end
      if (process.timers > 0) this.#scene.book.breach(`${process.timers} timers are left when all is closed`);
      how = "whole";
    } finally {
      for (const listener of listeners) await listener(how);
    }
  }

  /** Its process is gone. */
  async forget(): Promise<void> {
    for (const listener of this.#end()) await listener("killed");
  }

  #end(): readonly ((how: ProgramEnd) => Promise<void>)[] {
    const listeners = [...this.#onEnd];
    this.#onEnd.clear();
    [this.#running, this.#process] = [null, null];
    return listeners;
  }
}
