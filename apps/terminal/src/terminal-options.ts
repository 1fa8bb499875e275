import type { ThreadFlags } from "@unroll/program";

/** The thread that the command line names. */
interface NamedThread {
  /** Its id, or the beginning of it; `last`: the one used last of those begun in the working folder. */
  readonly name: string;
  /** `last` is the one of all folders. */
  readonly all: boolean;
  /** A copy of it is gone on with, that has its first turns, or `all` of them. Null: itself. */
  readonly copiedTurns: number | "all" | null;
}

/** What the command line says of a program at the terminal. */
export interface TerminalOptions extends ThreadFlags {
  /** Sent first. Absent: nothing is. */
  readonly prompt?: string;
  /** Pictures that go with it, or without one with the first message. */
  readonly image?: readonly string[];
  /** The thread to go on with. Absent: a new one. */
  readonly from?: NamedThread;
  /** Does not ask before a thread that goes on begins its requests anew. */
  readonly allowCacheBreak?: boolean;
  /** Keeps neither the conversation nor what the person types. */
  readonly ephemeral?: boolean;
  /** Passes over the rules of the user. */
  readonly ignoreRules?: boolean;
  /** Line by line, without painting. */
  readonly plain?: boolean;
  /** False: nothing moves by itself. */
  readonly animation?: boolean;
}
