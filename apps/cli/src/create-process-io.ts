import { fstatSync } from "node:fs";
import { homedir } from "node:os";
import type { InputStream, OutputStream, ProcessIo } from "@unroll/exec";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** This process. The only code besides `main.ts` that touches `process`. */
export function createProcessIo(): ProcessIo {
  return {
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    homeDirectory: process.env["HOME"] ?? homedir(),
    get stdin() {
      return toInput();
    },
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    onSignal(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => signals.forEach((signal) => process.off(signal, listener));
    },
    exitNow: (code) => process.exit(code),
  };
}

/** Looked at only when asked for: touching stdin makes Node open it. */
function toInput(): InputStream {
  if (process.stdin.isTTY) return { stream: process.stdin, kind: "terminal" };
  const found = fstatSync(0);
  return { stream: process.stdin, kind: found.isFIFO() || found.isSocket() ? "silent" : "file" };
}

function toOutput(stream: NodeJS.WriteStream): OutputStream {
  return { stream, isTerminal: stream.isTTY, columns: stream.columns };
}
