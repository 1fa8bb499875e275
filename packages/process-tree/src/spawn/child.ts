import type { Readable, Writable } from "node:stream";
import type { CommandOutput, TerminalSize } from "@unroll/protocol";
import type { SpawnFailure } from "./spawn-failure.ts";

/** Where a process's standard streams lead. */
export type Connection =
  /** stdin is closed; stdout and stderr are read. */
  | { readonly type: "output" }
  /** The same with an open stdin. */
  | { readonly type: "pipes" }
  /** A terminal of its own, which merges stdout and stderr. */
  | ({ readonly type: "terminal" } & TerminalSize)
  /** The harness's own streams. */
  | { readonly type: "inherited" };

/** A connection that needs no terminal. */
export type StreamConnection = Exclude<Connection["type"], "terminal">;

/** Further conditions of a start. */
export interface SpawnContext {
  /** The process gets them as descriptors 3 and up. */
  readonly fds: readonly number[];
  /** Aborts when the caller no longer waits. A process that was started anyway must still be stopped. */
  readonly signal: AbortSignal;
}

/** A started process, in a session and group of its own. */
export interface Child {
  readonly pid: number;
  /** Null unless it is a pipe. Its errors are handled: the process may close it, or end, during a write. */
  readonly stdin: Writable | null;
  readonly outputs: Readonly<Partial<Record<CommandOutput["stream"], Readable>>>;
  /** Calls `listener` once, when the process has ended. Call it before you await anything. */
  readonly onExit: (listener: (exit: ChildExit) => void) => void;
  /** Writes to stdin or the terminal; does nothing if neither is open. */
  readonly write: (text: string) => void;
  /** Does nothing without a terminal. */
  readonly resize: (size: TerminalSize) => void;
}

/** How a process ended. */
export interface ChildExit {
  /** 128 + the signal's number if a signal ended the process. */
  readonly exitCode: number;
  readonly signal: string | null;
}

/** A process that started, or why it did not. */
export type ChildStart = { readonly type: "started"; readonly child: Child } | SpawnFailure;
