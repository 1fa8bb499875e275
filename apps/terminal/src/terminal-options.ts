import type { ThreadFlags } from "@unroll/program";

/** The thread that the command line names. */
interface NamedThread {
  /** Its id or the start of it; `last`: the latest thread of the working folder; null: you choose it from the list. */
  readonly name: string | null;
  /** `last` means the latest thread of any folder, and the list shows those of all folders. */
  readonly all: boolean;
  /** Continue in a copy with its first turns, or with `all`. Null: continue the thread itself. */
  readonly copiedTurns: number | "all" | null;
}

/** The command line of the terminal program. */
export interface TerminalOptions extends ThreadFlags {
  /** The first message. Absent: none. */
  readonly prompt?: string;
  /** Pictures of the first message. */
  readonly image?: readonly string[];
  /** The thread to continue. Absent: a new one. */
  readonly from?: NamedThread;
  /** Does not ask before a resumed thread resends all of its requests. */
  readonly allowCacheBreak?: boolean;
  /** Saves neither the thread nor what you type. */
  readonly ephemeral?: boolean;
  /** Ignores your rules. */
  readonly ignoreRules?: boolean;
  /** Line by line, without painting. */
  readonly plain?: boolean;
  /** False: nothing moves on its own. */
  readonly animation?: boolean;
}
