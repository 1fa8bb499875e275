import type { Readable, Writable } from "node:stream";
import type { CommandOutput, TerminalSize } from "@unroll/protocol";
import type { SpawnFailure } from "./spawn-failure.ts";

/** What a process's standard streams lead to. */
export type Connection =
  /** stdin is at its end; stdout and stderr are read. */
  | { readonly type: "output" }
  /** The same with an open stdin. */
  | { readonly type: "pipes" }
  /** A terminal of its own, which merges stdout and stderr. */
  | ({ readonly type: "terminal" } & TerminalSize)
  /** The harness's own streams. */
  | { readonly type: "inherited" };

/** A connection that needs no terminal. */
export type StreamConnection = Exclude<Connection["type"], "terminal">;

/** What a start hangs on besides. */
export interface SpawnContext {
  /** They become its descriptors from 3 on. */
  readonly fds: readonly number[];
  /** Whoever starts it no longer waits. What is started all the same is to be stopped, as ever. */
  readonly signal: AbortSignal;
}

/** A process that was started, in a session and group of its own. */
export interface Child {
  readonly pid: number;
  /** Null unless it is a pipe. Its errors are heard: the process may close it, or end, while something is written. */
  readonly stdin: Writable | null;
  readonly outputs: Readonly<Partial<Record<CommandOutput["stream"], Readable>>>;
  /** Called once, when the process has ended. To be given before anything is awaited. */
  readonly onExit: (listener: (exit: ChildExit) => void) => void;
  /** To stdin or the terminal; does nothing where neither is open. */
  readonly write: (text: string) => void;
  /** Does nothing without a terminal. */
  readonly resize: (size: TerminalSize) => void;
}

/** How a process ended. */
export interface ChildExit {
  /** 128 + its number where a signal ended the process. */
  readonly exitCode: number;
  readonly signal: string | null;
}

/** A process that started, or why it did not. */
export type ChildStart = { readonly type: "started"; readonly child: Child } | SpawnFailure;
