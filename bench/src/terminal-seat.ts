import { readFileSync } from "node:fs";
import { type IPty, spawn } from "node-pty";
import type { ProcessCommand } from "./measure-process.ts";

/** A program in a terminal that takes all bytes and answers where its cursor is; at the keys, the bench. */
export interface TerminalSeat extends Disposable {
  type(keys: string): void;
  /** Types, and gives the ms until the words are written. */
  time(keys: string, words: string | RegExp): Promise<number>;
  /** Another size, and the ms until something is written behind the last question where the cursor is. */
  resize(columns: number, rows: number): Promise<number>;
  /** Resolves when the words are written from now on. */
  shows(words: string | RegExp): Promise<void>;
  /** So far, in ms. */
  cpu(): number;
  /** Resolves when the program has ended. */
  ended(): Promise<void>;
  /** In MiB: now, and at most so far. */
  memory(): { readonly now: number; readonly peak: number };
}

const position = "\u001b[6n";
/** As much of the output as words are looked for in. */
const keptCharacters = 64 * 1024;

export function openTerminalSeat({ argv, cwd, env }: ProcessCommand, size = { columns: 120, rows: 40 }): TerminalSeat {
  const [file = "", ...args] = argv;
  let rows = size.rows;
  const terminal: IPty = spawn(file, args, { cols: size.columns, rows, cwd, env: { ...env, TERM: "xterm-256color" } });
  let text = "";
  const looking = new Set<() => void>();
  const end = Promise.withResolvers<void>();
  terminal.onExit(() => end.resolve());
  terminal.onData((data) => {
    text = (text + data).slice(-keptCharacters);
    if (data.includes(position)) terminal.write(`\u001b[${rows};1R`);
    for (const look of looking) look();
  });

  async function shows(words: string | RegExp): Promise<void> {
    text = "";
    const found = Promise.withResolvers<void>();
    const look = (): void => {
      if (typeof words === "string" ? text.includes(words) : words.test(text)) found.resolve();
    };
    looking.add(look);
    await found.promise;
    looking.delete(look);
  }

  async function time(keys: string, words: string | RegExp): Promise<number> {
    const shown = shows(words);
    const began = performance.now();
    terminal.write(keys);
    await shown;
    return performance.now() - began;
  }

  return {
    type: (keys) => terminal.write(keys),
    time,
    shows,
    async resize(columns, newRows) {
      rows = newRows;
      const asked = shows(position);
      terminal.resize(columns, newRows);
      await asked;
      const began = performance.now();
      await shows("\u001b[?2026l");
      return performance.now() - began;
    },
    ended: () => end.promise,
    cpu: () => readCpu(terminal.pid),
    memory() {
      const status = readFileSync(`/proc/${terminal.pid}/status`, "utf8");
      const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
      return { now: read("VmRSS"), peak: read("VmHWM") };
    },
    [Symbol.dispose]: () => terminal.kill("SIGKILL"),
  };
}

/** Of the process and its threads, in ms: Linux counts in hundredths of a second. */
function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
