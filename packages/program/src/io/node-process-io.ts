import { fstatSync, readFileSync } from "node:fs";
import { nodeHost } from "@unroll/harness/node";
import type { InputStream, OutputStream, ProcessIo } from "./process-io.ts";

/** How often to look whether the parent is still there; the kernel does not tell. */
const parentCheckMs = 100;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** This process; null where its working folder is gone. What `nodeHost` knows of the machine, with the streams and signals. */
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
  };
}

/** By hand: `node:timers/promises` takes a ms at every start. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
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
  return { stream: process.stdin, kind: found.isFIFO() || found.isSocket() ? "silent" : "file" };
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
