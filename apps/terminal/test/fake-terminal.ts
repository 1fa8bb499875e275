import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { loadLibraries } from "@unroll/cells";
import { type Answer, type Person, type Question, refusalOf } from "@unroll/protocol";
import { toStyledLines } from "@unroll/screen";
import { askPerson } from "../src/app/ask-person.ts";
import type { Driver } from "../src/driver.ts";
import { createPlainDriver } from "../src/plain/plain-driver.ts";

/** The program line by line, at a terminal whose keys come when the test says so. Time passes as soon as nothing is left to read. */
export interface FakeTerminal extends Disposable {
  readonly driver: Driver;
  /** All that was written, without what moves the cursor. */
  readonly text: () => string;
  /** Keys, in one go. */
  type(keys: string): void;
  /** Resolves when the text is on the screen `times` times. */
  shows(text: string, times?: number): Promise<void>;
  /** Types each line when its question appears. */
  answer(...answers: readonly (readonly [question: string, line: string])[]): Promise<void>;
}

export function openFakeTerminal({ columns = 80, rows = 24 } = {}): FakeTerminal {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let written = "";
  const looking = new Set<() => void>();
  stderr.setEncoding("utf8").on("data", (text: string) => {
    // oxlint-disable-next-line no-control-regex -- what readline writes to move the cursor
    written += text.replaceAll(/\u001b\[\d*[A-Za-z]/g, "");
    for (const look of looking) look();
  });
  const driver = createPlainDriver({
    io: {
      stdin: { stream: stdin, kind: "terminal" },
      stderr: { stream: stderr, isTerminal: true, size: () => ({ columns, rows }) },
      sleep: async () => {
        for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      },
      env: { NO_COLOR: "1" },
    },
    color: "auto",
    leave: () => {},
  });

  async function shows(text: string, times = 1): Promise<void> {
    const found = Promise.withResolvers<void>();
    const look = (): void => (written.split(text).length > times ? found.resolve() : undefined);
    looking.add(look);
    look();
    await found.promise;
    looking.delete(look);
  }

  return {
    driver,
    text: () => written,
    type: (keys) => void stdin.write(keys),
    shows,
    async answer(...answers) {
      const seen = new Map<string, number>();
      for (const [question, line] of answers) {
        const times = (seen.get(question) ?? 0) + 1;
        seen.set(question, times);
        await shows(question, times);
        stdin.write(`${line}\r`);
      }
    },
    [Symbol.dispose]: () => driver[Symbol.dispose](),
  };
}

const never = new AbortController().signal;
const libraries = await loadLibraries();

/** You, as threads ask you. */
export function createAsked({ driver }: FakeTerminal): Person {
  const options = { driver, libraries, cwd: "/home/ada", onQuestion: () => {} };
  return {
    async answer(question, signal) {
      const answer = await askPerson(options, question, signal);
      return answer.type === "own_model" ? refusalOf(question) : answer;
    },
  };
}

/** Asks, until it is answered or `signal` aborts. */
export function ask(at: FakeTerminal, question: Question, signal: AbortSignal = never): Promise<Answer> {
  return createAsked(at).answer(question, signal);
}

/** Text of the program. */
export function tell({ driver }: FakeTerminal, text: string): void {
  driver.add({ type: "lines", lines: toStyledLines(text, { wrap: "words" }) });
}

/** The driver's events for keys that are typed while a turn runs. */
export function hear({ driver }: FakeTerminal): readonly string[] {
  const heard: string[] = [];
  driver.setWork("running");
  driver.onAction((action) => {
    if (action.type === "steered") heard.push(action.submission.text);
    if (action.type === "interrupted") heard.push("^C");
  });
  return heard;
}
