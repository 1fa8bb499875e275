import { setTimeout as delay } from "node:timers/promises";
import type { ChildExit } from "../../spawn/child.ts";
import { isAlive } from "../../tree/tree-members.ts";
import type { StartedProcess } from "./to-child.ts";
import { toExit } from "./to-exit.ts";

/** The outcome of a request. `refused`: nothing was started; `lost`: unknown. */
export type StarterAnswer = StartedProcess | "refused" | "lost";

/** Requests to a starter, and its reports. */
export interface StarterDesk {
  /** A descriptor of the starter to try, as soon as there is one; null: there never was. */
  readonly ready: Promise<number | null>;
  readonly ask: () => { readonly id: string; readonly answer: Promise<StarterAnswer> };
  /** Call it with each of its lines. */
  readonly hear: (line: string) => void;
  /** Resolves when the starter is lost. */
  readonly over: Promise<void>;
  /**
   * The starter says nothing more. Requests that it had not accepted were never started, provided
   * that everything it said was read.
   */
  readonly lose: (heard: "all" | "perhaps not all") => void;
}

/** In ms: how often to check a process whose end nobody will report. */
const lookMs = 50;
/** The code that ssh uses. */
const unknownExit: ChildExit = { exitCode: 255, signal: null };

export function createStarterDesk(): StarterDesk {
  const ready = Promise.withResolvers<number | null>();
  const asked = new Map<string, (answer: StarterAnswer) => void>();
  const taken = new Set<string>();
  const running = new Map<string, { readonly pid: number; readonly end: (exit: ChildExit) => void }>();
  const over = Promise.withResolvers<void>();
  let count = 0;

  function answer(id: string, answer: StarterAnswer): void {
    asked.get(id)?.(answer);
    asked.delete(id);
    taken.delete(id);
  }

  function begin(id: string, [pid = 0, ...pipes]: readonly number[]): void {
    const exited = Promise.withResolvers<ChildExit>();
    running.set(id, { pid, end: exited.resolve });
    answer(id, { pid, pipes, exited: exited.promise });
  }

  function end(id: string, status: number): void {
    running.get(id)?.end(toExit(status));
    running.delete(id);
  }

  return {
    ready: ready.promise,
    over: over.promise,
    ask() {
      const id = String((count += 1));
      return { id, answer: new Promise((resolve) => asked.set(id, resolve)) };
    },
    hear(line) {
      const [verb, id = "", ...rest] = line.split(" ");
      const numbers = rest.map(Number);
      if (verb === "ready") ready.resolve(Number(id));
      else if (verb === "taken") taken.add(id);
      else if (verb === "started") begin(id, numbers);
      else if (verb === "ended") end(id, numbers[0] ?? 0);
      else if (verb === "refused" || verb === "lost") answer(id, verb);
    },
    lose(heard) {
      ready.resolve(null);
      for (const id of asked.keys()) answer(id, heard === "all" && !taken.has(id) ? "refused" : "lost");
      for (const { pid, end } of running.values()) {
        const finish = (): void => end(unknownExit);
        awaitEnd(pid).then(finish, finish);
      }
      running.clear();
      over.resolve();
    },
  };
}

async function awaitEnd(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(lookMs);
}
