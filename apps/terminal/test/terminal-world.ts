import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import xterm from "@xterm/headless";
import type { ProcessIo, ProcessTerminal } from "@unroll/program";
import {
  type CapturedRequest,
  type Guise,
  type ScriptedModel,
  startScriptedModel,
  type Turn,
} from "@unroll/scripted-model";
import { onTestFailed } from "vitest";
import { runTerminal } from "../src/run-terminal.ts";
import type { TerminalOptions } from "../src/terminal-options.ts";

export interface WorldOptions {
  /** Answers in order; behind the last, "all finished". */
  readonly turns?: readonly Turn[];
  /** Answers a request before `turns` do; null: they do. */
  readonly respond?: (request: CapturedRequest) => Turn | null;
  /** Files in the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files in the home folder. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  /** Makes the scripted model another server. */
  readonly guise?: Guise;
  /** More of config.toml. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Without a provider: it is the first run. */
  readonly isBare?: boolean;
}

/** A home, a working folder and a scripted model; programs run in this process, on an emulated terminal. */
export interface TerminalWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: ScriptedModel;
  start(options?: TerminalOptions, size?: { readonly columns: number; readonly rows: number }): FakeSeat;
  /** Runs it line by line on the lines of a script, to its end. */
  run(lines: readonly string[]): Promise<{ readonly exitCode: number; readonly text: string }>;
}

export async function openTerminalWorld(options: WorldOptions = {}): Promise<TerminalWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-terminal-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  const turns = (options.turns ?? []).values();
  const model = await startScriptedModel({
    respond: (request) => options.respond?.(request) ?? turns.next().value ?? { items: [{ text: "all finished" }] },
    checks: { prefix: false },
    ...(options.guise !== undefined && { guise: options.guise }),
  });
  await writeFiles(work, options.files ?? {});
  const provider = options.isBare
    ? options.config?.includes("local_ports")
      ? ""
      : "local_ports = []\n"
    : `model = "gpt-5-codex"\nmodel_provider = "test"\n[model_providers.test]\nname = "Test"\npreset = "openai"\nbase_url = "${model.url}"\n`;
  const settings = `approval_policy = "never"\nsandbox_mode = "danger-full-access"\n`;
  const text = options.config?.includes("approval_policy") ? "" : settings;
  await writeFiles(home, {
    ".codex/config.toml": `${text}${options.config ?? ""}\n${provider}`,
    ...options.homeFiles,
  });
  const seats: FakeSeat[] = [];
  return {
    home,
    work,
    model,
    start(started = {}, size = { columns: 80, rows: 24 }) {
      const seat = openSeat({ home, work, env: options.env ?? {}, size, options: { animation: false, ...started } });
      seats.push(seat);
      return seat;
    },
    async run(lines) {
      const parts = { home, work, env: { ...options.env, NO_COLOR: "1" }, size: { columns: 80, rows: 24 } };
      const seat = openSeat({ ...parts, options: { plain: true }, script: lines });
      return { exitCode: await seat.exitCode, text: seat.bytes() };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(seats.map((seat) => seat.leave()));
      await model.close();
      await folder.remove();
    },
  };
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

/** Somebody who sits at the terminal. */
interface FakeSeat {
  /** Resolves when the text is on the screen, or above it. */
  shows(text: string): Promise<void>;
  /** Resolves when it is not on the screen any more. */
  hides(text: string): Promise<void>;
  /** Resolves when the text was written behind the first so many bytes. */
  writes(text: string, behind: number): Promise<void>;
  /** Each text is a read of its own. The texts of one call come at once; time passes before the next call. */
  type(...keys: readonly string[]): void;
  /** Some time passes, when the terminal has answered what it was asked: long enough for a dialogue to count keys. */
  pass(ms: number): Promise<void>;
  resize(columns: number, rows: number): void;
  /** The rows of the screen, and of all that scrolled out of it. */
  screen(): readonly string[];
  scrolled(): readonly string[];
  /** All bytes that were written. */
  bytes(): string;
  /** The bytes for the terminal if the program is killed. */
  reset(): string;
  /** The emulator, for what its rows look like. */
  readonly emulator: xterm.Terminal;
  readonly exitCode: Promise<number>;
  /** Throws an uncaught error into the program. */
  crash(error: unknown): void;
  /** Of `exitNow`. */
  readonly ended: Promise<number>;
  /** Ends it, whatever it does. */
  leave(): Promise<void>;
}

/** An answer that no question waits for. It comes behind Enter, so that what follows was not pasted with it. */
const noAnswer = "\u001b[?62c";

/** A program that writes nothing for so long does not show the awaited text any more. It is real time. */
const quietMs = 30_000;

interface SeatParts {
  readonly home: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly options: TerminalOptions;
  /** On stdin, in place of keys. */
  readonly script?: readonly string[];
}

function openSeat({ home, work, env, size, options, script }: SeatParts): FakeSeat {
  const emulator = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 20_000,
    allowProposedApi: true,
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const looking = new Set<() => void>();
  const ended = Promise.withResolvers<number>();
  let [written, passed, wasEntered] = ["", 0, false];
  let reset = "";
  let [current, heard] = [size, size];
  const listeners = { resize: (): void => {}, crash: (_error: unknown): void => {} };
  const onSignals = new Set<Parameters<ProcessIo["onSignal"]>[0]>();

  const write = (text: string): void => {
    written += text;
    emulator.write(text.replaceAll(/(?<!\r)\n/g, "\r\n"), () => looking.forEach((look) => look()));
  };
  output.setEncoding("utf8").on("data", write);
  emulator.onData((answer) => void input.write(answer));

  const terminal: ProcessTerminal = {
    input,
    output,
    size() {
      const told = heard;
      heard = current;
      if (told !== current) listeners.resize();
      return current;
    },
    setRaw: () => {},
    writeNow: write,
    onResize: (listener) => ((listeners.resize = listener), () => {}),
    suspend: () => {},
    onContinue: () => () => {},
    whenKilled: (text) => void (reset = text),
    onExit: () => () => {},
    onCrash: (listener) => ((listeners.crash = listener), () => {}),
  };
  const io: ProcessIo = {
    env: { PATH: process.env["PATH"], HOME: home, TERM: "xterm-256color", ...env },
    cwd: work,
    platform: process.platform,
    nodeVersion: process.versions.node,
    homeDirectory: home,
    ownFolders: [],
    pid: process.pid,
    stdin:
      script === undefined
        ? { stream: input, kind: "terminal" }
        : { stream: Readable.from(script.map((line) => `${line}\n`)), kind: "file" },
    stdout: { stream: output, isTerminal: true, size: () => current },
    stderr: { stream: output, isTerminal: true, size: () => current },
    now: Date.now,
    localDay: () => ({ date: "2026-11-23", timeZone: "Europe/Berlin" }),
    elapsed: () => performance.now() + passed,
    // time passes when nothing else is left to do
    async sleep(ms) {
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
      passed += ms;
    },
    random: Math.random,
    newId: () => crypto.randomUUID(),
    onSignal: (listener) => (onSignals.add(listener), () => void onSignals.delete(listener)),
    onOrphaned: () => () => {},
    exitNow: ended.resolve,
    terminal,
  };
  const exitCode = runTerminal(options, io);
  whenTestFails(() => console.error(`The terminal shows:\n${all()}`));

  const rows = (from: number, to: number): readonly string[] =>
    Array.from(
      { length: to - from },
      (_, row) => emulator.buffer.active.getLine(from + row)?.translateToString(true) ?? "",
    );
  const screen = (): readonly string[] =>
    rows(emulator.buffer.active.baseY, emulator.buffer.active.baseY + emulator.rows);
  const scrolled = (): readonly string[] => rows(0, emulator.buffer.active.baseY);
  const all = (): string => [...scrolled(), ...screen()].join("\n");

  async function until(isSo: () => boolean, what: string): Promise<void> {
    const found = Promise.withResolvers<void>();
    const look = (): void => (isSo() ? found.resolve() : undefined);
    let seen = written;
    const watching = setInterval(() => {
      if (written === seen) found.reject(new Error(`The terminal ${what}, and has written nothing for ${quietMs} ms.`));
      seen = written;
    }, quietMs);
    looking.add(look);
    look();
    void exitCode.then((code) =>
      emulator.write("", () => found.reject(new Error(`The terminal ${what}, and the program ended with ${code}.`))),
    );
    try {
      await found.promise;
    } finally {
      clearInterval(watching);
      looking.delete(look);
    }
  }

  return {
    shows: (text) => until(() => all().includes(text), `does not show ${text}`),
    hides: (text) => until(() => !screen().join("\n").includes(text), `still shows ${text}`),
    writes: (text, behind) => until(() => written.slice(behind).includes(text), `does not write ${text}`),
    type(...reads) {
      if (wasEntered && options.plain !== true) input.write(noAnswer); // lines are read as they are
      for (const read of reads) input.write(read);
      wasEntered = reads.at(-1)?.endsWith(keys.enter) === true;
    },
    async pass(ms) {
      await new Promise<void>((parsed) => emulator.write("", parsed));
      await setImmediate(); // what the emulator answered is read
      passed += ms;
    },
    resize(columns, newRows) {
      current = { columns, rows: newRows };
      emulator.resize(columns, newRows);
      terminal.size();
    },
    screen,
    scrolled,
    bytes: () => written,
    reset: () => reset,
    emulator,
    exitCode,
    crash: (error) => listeners.crash(error),
    ended: ended.promise,
    async leave() {
      for (const listener of onSignals) listener("SIGTERM");
      await exitCode;
    },
  };
}

/** Runs when the test fails. Scripts use this file too, where there is no test. */
function whenTestFails(run: () => void): void {
  try {
    onTestFailed(run);
  } catch {}
}

/** The input of a request, as JSON. */
export function readSent(request: CapturedRequest | undefined): string {
  return JSON.stringify(request?.input ?? []);
}

/** The keys that mean something else than what they type. */
export const keys = { enter: "\r", escape: "\u001b", ctrlC: "\u0003", ctrlR: "\u0012", tab: "\t", up: "\u001b[A" };

/** A picture of one pixel, in base64. */
export const dotPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
