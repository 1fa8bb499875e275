import type { ThreadEvent } from "@unroll/protocol";

/** Gets word of each call by its id: which item shows it, and that it is over. */
export interface CallWatch {
  /** What a call tells, in order, as its tool has it: unmasked. Of a command that an earlier call left running, too. */
  readonly told: (callId: string, event: ThreadEvent) => void;
  /** A call did what it was asked, and no item shows it. */
  readonly unseen: (callId: string) => void;
  /** What is told at the end of a turn. */
  readonly ended: (event: ThreadEvent) => void;
}
