import type { Readable, Writable } from "node:stream";

/** The process as the program sees it: the only way by which it reaches the world around it. */
export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly platform: string;
  readonly homeDirectory: string;
  /** Of the program, absolute: see `HostEnvironment`. */
  readonly ownFolders: readonly string[];
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls back at each SIGINT, SIGTERM and SIGHUP; returns how to stop that. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void;
  /** Calls back when whoever started us has ended without ending us; returns how to stop that. */
  onOrphaned(listener: () => void): () => void;
  /** Ends the process without waiting for anything. */
  exitNow(code: number): void;
}

export interface InputStream {
  readonly stream: Readable;
  /** `silent` inputs may never say anything nor end: a pipe or socket whose writer we do not know. */
  readonly kind: "terminal" | "file" | "silent";
}

export interface OutputStream {
  readonly stream: Writable;
  readonly isTerminal: boolean;
}
