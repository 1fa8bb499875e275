import { fstatSync, readFileSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { nodeHost } from "@unroll/harness/node";
import { systemErrorCode } from "@unroll/text";
import { hasPipeWriter } from "./has-pipe-writer.ts";
import { createResetWhenKilled } from "./reset-when-killed.ts";
import type { InputStream, OutputStream, ProcessIo, ProcessTerminal } from "./process-io.ts";

/** How often to look whether the parent is still there; the kernel does not tell. */
const parentCheckMs = 100;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** This process; null where its working folder is gone. The facts of `nodeHost` about the machine, with the streams and signals. */
export function createNodeProcessIo(ownFolders: readonly string[]): ProcessIo | null {
  const cwd = findWorkingFolder();
  if (cwd === null) return null;
  return {
    ...nodeHost({ cwd, ownFolders }),
    nodeVersion: process.versions.node,
    pid: process.pid,
    get stdin() {
      return toInput();
    },
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    sleep,
    onSignal(listener) {
      const heard = signals.filter((signal) => signal !== "SIGHUP" || !ignoresHangUp());
      for (const signal of heard) process.on(signal, listener);
      return () => heard.forEach((signal) => process.off(signal, listener));
    },
    onOrphaned(listener) {
      const parent = process.ppid;
      const timer = setInterval(() => (process.ppid === parent ? undefined : listener()), parentCheckMs).unref();
      return () => clearInterval(timer);
    },
    exitNow: (code) => process.exit(code),
    ...(isatty(0) && isatty(1) && { terminal: createProcessTerminal() }),
  };
}

function createProcessTerminal(): ProcessTerminal {
  return {
    get input() {
      return process.stdin;
    },
    output: process.stdout,
    size() {
      refreshSize(process.stdout);
      return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    },
    setRaw(isRaw) {
      process.stdin.setRawMode(isRaw);
    },
    writeNow,
    whenKilled: createResetWhenKilled(process),
    onResize: (listener) => listen(process.stdout, "resize", listener),
    suspend,
    onContinue: (listener) => listen(process, "SIGCONT", listener),
    onExit: (listener) => listen(process, "exit", listener),
    onCrash(listener) {
      process.on("uncaughtException", listener);
      process.on("unhandledRejection", listener);
      return () => {
        process.off("uncaughtException", listener);
        process.off("unhandledRejection", listener);
      };
    },
  };
}

/**
 * Nothing else may keep the process alive meanwhile, because its input is not read. Without this, it would exit before
 * it is continued.
 */
function suspend(): void {
  const keeping = setInterval(() => {}, keepMs);
  process.once("SIGCONT", () => clearInterval(keeping));
  process.kill(0, "SIGTSTP");
}

/** As long as it likes: nothing is done then. */
const keepMs = 60 * 60 * 1000;

function listen(emitter: NodeJS.EventEmitter, name: string, listener: () => void): () => void {
  emitter.on(name, listener);
  return () => void emitter.off(name, listener);
}

/** A terminal that is full takes it a moment later: it is tried for as long as a person would not notice. */
function writeNow(text: string): void {
  const until = performance.now() + 200;
  for (let rest = Buffer.from(text); rest.length > 0 && performance.now() < until;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (systemErrorCode(error) !== "EAGAIN") return;
    }
  }
}

/**
 * By hand: `node:timers/promises` takes a ms at every start. Reads input that has arrived by then first: this process
 * may be the late one.
 */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(() => setImmediate(wake), ms);
    signal.addEventListener("abort", wake);
    if (signal.aborted) wake();
  });
}

function findWorkingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Under `nohup` a hang-up is none of our business; a listener would make it one. */
function ignoresHangUp(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return false; // no /proc: not Linux
  }
}

/** Looked at only when asked for: touching stdin makes Node open it. */
function toInput(): InputStream {
  if (process.stdin.isTTY) return { stream: process.stdin, kind: "terminal" };
  const found = fstatSync(0);
  if (found.isFIFO())
    return { stream: process.stdin, kind: "silent", hasWriter: () => hasPipeWriter(found.ino, process.pid) };
  return { stream: process.stdin, kind: found.isSocket() ? "silent" : "file" };
}

/** A terminal that does not know its size says 0. */
function toOutput(stream: NodeJS.WriteStream): OutputStream {
  return {
    stream,
    isTerminal: stream.isTTY,
    size: () =>
      stream.isTTY && stream.columns > 0 && stream.rows > 0 ? { columns: stream.columns, rows: stream.rows } : null,
  };
}

/** Node reads a terminal's size when the signal of a change arrives; this reads it now, and Node tells its listeners of a change. */
function refreshSize(stream: NodeJS.WriteStream): void {
  const refresh: unknown = Reflect.get(stream, "_refreshSize");
  if (typeof refresh === "function") refresh.call(stream);
}
