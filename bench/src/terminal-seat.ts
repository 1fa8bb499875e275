import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type IPty, spawn } from "node-pty";
import { type ProcessCommand, readCpuTimes } from "./measure-process.ts";

/** A program in a terminal that takes all bytes and answers what programs ask terminals; at the keys, the bench. */
export interface TerminalSeat extends Disposable {
  type(keys: string): void;
  /** Types, and gives the ms until the words are written. */
  time(keys: string, words: string | RegExp): Promise<number>;
  /**
   * Another size, and the ms from the question where the cursor is until a frame behind it. Where both come in one read, the program
   * got no answer in its time and did without: then from the resize.
   */
  resize(columns: number, rows: number): Promise<number>;
  /** Resolves when the words are written from now on, with when that was read. */
  shows(words: string | RegExp): Promise<number>;
  /** Resolves when a frame is written that has text, behind the modes that the program switches on; with when that was read. */
  showsFrame(): Promise<number>;
  /** Resolves when nothing was written for so long; absent: until programs have written what they write at their start. */
  rests(forMs?: number): Promise<void>;
  /** So far, in ms. */
  cpu(): number;
  /** Resolves when the program has ended. */
  ended(): Promise<void>;
  /** In MiB: now, and at most so far. */
  memory(): { readonly now: number; readonly peak: number };
}

const position = "\u001b[6n";
/** Where the cursor is, which terminal it is, and its background: a program that gets no answer waits for its own limit. */
// oxlint-disable-next-line no-control-regex -- what a terminal is written
const question = /\u001b\[6n|\u001b\[0?c|\u001b\]11;\?/g;
const longestQuestion = 5;
const whichTerminal = "\u001b[?62;22c";
const darkBackground = "\u001b]11;rgb:0000/0000/0000\u001b\\";
/** Where the cursor is asked for, and a whole frame behind it. */
// oxlint-disable-next-line no-control-regex -- what a terminal is written
const answeredFrame = /\u001b\[6n[^]*\u001b\[\?2026l/;
/**
 * Text that can be seen behind the mode of pasted text. Between them is any number of sequences, each of which ends in a
 * letter or, where it has words in it, by BEL or ST.
 */
const frameWithText =
  // oxlint-disable-next-line no-control-regex -- what a terminal is written
  /\u001b\[\?2004h(?:\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[^[\]]|[\s\u0000-\u001a])*[^\s\u0000-\u001f]/;
/** Programs that start something behind their first frame write at least twice in this time. */
const restMs = 800;
/** As much of the output as words are looked for in. */
const keptCharacters = 64 * 1024;

export function openTerminalSeat({ argv, cwd, env }: ProcessCommand, size = { columns: 120, rows: 40 }): TerminalSeat {
  const [file = "", ...args] = argv;
  let rows = size.rows;
  const terminal: IPty = spawn(file, args, { cols: size.columns, rows, cwd, env: { ...env, TERM: "xterm-256color" } });
  let [text, dropped] = ["", 0];
  let unread = "";
  let lastAt = performance.now();
  const looking = new Set<(readAt: number) => void>();
  const end = Promise.withResolvers<void>();
  terminal.onExit(() => end.resolve());
  terminal.onData((data) => {
    const readAt = performance.now();
    lastAt = readAt;
    dropped += Math.max(0, text.length + data.length - keptCharacters);
    text = (text + data).slice(-keptCharacters);
    answer(data);
    for (const look of looking) look(readAt);
  });

  /** Each question, also one that comes in two reads. */
  function answer(data: string): void {
    let from = 0;
    unread += data;
    for (const { 0: asked, index } of unread.matchAll(question)) {
      if (asked === position) terminal.write(`\u001b[${rows};1R`);
      else terminal.write(asked.startsWith("\u001b]") ? darkBackground : whichTerminal);
      from = index + asked.length;
    }
    unread = unread.slice(Math.max(from, unread.length - longestQuestion));
  }

  async function shows(words: string | RegExp): Promise<number> {
    const from = dropped + text.length;
    const found = Promise.withResolvers<number>();
    const look = (readAt: number): void => {
      const since = text.slice(Math.max(0, from - dropped));
      if (typeof words === "string" ? since.includes(words) : words.test(since)) found.resolve(readAt);
    };
    looking.add(look);
    return found.promise.finally(() => looking.delete(look));
  }

  async function time(keys: string, words: string | RegExp): Promise<number> {
    const shown = shows(words);
    const began = performance.now();
    terminal.write(keys);
    return (await shown) - began;
  }

  return {
    type: (keys) => terminal.write(keys),
    time,
    shows,
    async resize(columns, newRows) {
      rows = newRows;
      const seen = Promise.all([shows(position), shows(answeredFrame)]);
      const began = performance.now();
      terminal.resize(columns, newRows);
      const [asked, painted] = await seen;
      return painted - (asked < painted ? asked : began);
    },
    showsFrame: () => shows(frameWithText),
    async rests(forMs = restMs) {
      while (performance.now() - lastAt < forMs) await sleep(forMs / 4);
    },
    ended: () => end.promise,
    cpu: () => readCpuTimes(terminal.pid).own,
    memory() {
      const status = readFileSync(`/proc/${terminal.pid}/status`, "utf8");
      const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
      return { now: read("VmRSS"), peak: read("VmHWM") };
    },
    [Symbol.dispose]: () => terminal.kill("SIGKILL"),
  };
}
