import { PassThrough, Readable } from "node:stream";
import type { ProcessIo, StopSignal } from "@unroll/program";

interface FakeIo extends ProcessIo {
  /** ms that `elapsed` is ahead from here on. */
  pass(ms: number): void;
  send(signal: StopSignal): void;
  readonly exits: readonly number[];
}

/** A process with an empty environment, in a folder without config, whose clock and signals are the test's. */
export function createFakeIo(more: Partial<ProcessIo> = {}): FakeIo {
  let time = 0;
  const exits: number[] = [];
  const listeners = new Set<(signal: StopSignal) => void>();
  const output = () => ({ stream: new PassThrough({ encoding: "utf8" }), isTerminal: false, size: () => null });
  return {
    env: { CODEX_HOME: "/nonexistent/codex" },
    cwd: "/",
    platform: "linux",
    nodeVersion: "24.16.0",
    homeDirectory: "/nonexistent",
    ownFolders: [],
    stdin: { stream: Readable.from([]), kind: "file" },
    stdout: output(),
    stderr: output(),
    now: () => time,
    elapsed: () => time,
    sleep: async () => {},
    random: () => 0,
    newId: () => "id",
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onOrphaned: () => () => {},
    pid: process.pid,
    exitNow: (code) => void exits.push(code),
    pass: (ms) => void (time += ms),
    send: (signal) => listeners.forEach((listener) => listener(signal)),
    exits,
    ...more,
  };
}
