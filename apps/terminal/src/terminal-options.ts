import type { ThreadFlags } from "@unroll/program";
import type { ChatOrigin } from "./plain/open-origin.ts";

/** What the command line says of a program at the terminal. */
export interface TerminalOptions extends ThreadFlags {
  /** Sent first. Absent: nothing is. */
  readonly prompt?: string;
  /** Pictures that go with it. */
  readonly image?: readonly string[];
  /** The thread to go on with. Absent: a new one. */
  readonly from?: ChatOrigin;
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
