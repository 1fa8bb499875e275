import type { Readable, Writable } from "node:stream";
import type { Clock } from "@unroll/flow";
import type { Host } from "@unroll/harness";
import type { TerminalSize } from "@unroll/protocol";

/** The process as a program sees it: the only way by which it reaches the world around it. */
export interface ProcessIo extends Pick<Clock, "now" | "elapsed" | "sleep">, Pick<Host, "localDay"> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly platform: string;
  /** Of Node.js, as `24.16.0`. */
  readonly nodeVersion: string;
  readonly homeDirectory: string;
  /** Folders of the program itself, absolute: see `HostEnvironment`. */
  readonly ownFolders: readonly string[];
  /** Id of this process. */
  readonly pid: number;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** A UUID of version 7. */
  readonly newId: () => string;
  /** Calls back at each SIGINT, SIGTERM and SIGHUP; returns how to stop that. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Calls back when the parent process ended without ending us; returns a function that unsubscribes. */
  onOrphaned(listener: () => void): () => void;
  /** Ends the process without waiting for anything. */
  exitNow(code: number): void;
  /** The terminal that stdin and stdout are, for a program that takes keys and paints. Absent: they are none. */
  readonly terminal?: ProcessTerminal;
}

/** The terminal of this process, key by key. */
export interface ProcessTerminal {
  /** Keys and answers of the terminal, as bytes. */
  readonly input: Readable;
  readonly output: Writable;
  /** As it is now. */
  size(): TerminalSize;
  /** Whether keys come one by one and unseen, and none of them is a signal. */
  setRaw(isRaw: boolean): void;
  /** Writes before it returns, so also while the process ends. Text that cannot be written is dropped. */
  writeNow(text: string): void;
  /** The text that is written to the terminal if this process is killed; the last one counts, "" is none. */
  whenKilled(text: string): void;
  /** Calls back when the size may be another one; returns how to stop that. */
  onResize(listener: () => void): () => void;
  /** Gives the terminal back to the parent process; this process is stopped until it is continued. */
  suspend(): void;
  /** Calls back when this process was continued; returns how to stop that. */
  onContinue(listener: () => void): () => void;
  /** Calls back at the end of the process, when nothing waits any more; returns how to stop that. */
  onExit(listener: () => void): () => void;
  /** Calls back with what nobody caught, in place of the process's own end; returns how to stop that. */
  onCrash(listener: (error: unknown) => void): () => void;
}

/** The signals by which a person or a system asks the program to stop. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The program's standard input. */
export interface InputStream {
  readonly stream: Readable;
  /** `silent` inputs may never say anything nor end: a pipe or socket whose writer we do not know. */
  readonly kind: "terminal" | "file" | "silent";
  /** Whether a program that did not start us can write to it now: in `a | b`, `a`. Absent: unknown. */
  readonly hasWriter?: () => boolean;
}

/** One of the program's standard outputs. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** The current size of the terminal; null without a terminal, or if it does not report one. */
  size(): TerminalSize | null;
}
