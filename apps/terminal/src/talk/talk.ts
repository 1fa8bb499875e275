import type { Libraries } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { HostEnvironment } from "@unroll/harness";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { Conversation } from "../conversation/conversation.ts";
import type { Desk } from "../desk/create-desk.ts";
import type { InputHistory } from "../input/history.ts";
import type { PlanMode } from "../plan-mode.ts";

/** All that the parts of a running program work with. */
export interface Talk {
  readonly io: ProcessIo;
  readonly host: HostEnvironment;
  /** Of the command line. */
  readonly flags: ProgramFlags;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly conversation: Conversation;
  readonly libraries: Libraries;
  readonly plan: PlanMode;
  readonly history: InputHistory;
  /** Aborts when the program ends. */
  readonly ending: AbortController;
  /** Stops what runs; null: nothing does. */
  stopWork: (() => void) | null;
  /** How many items were shown that are of no thread: their ids are made of it. */
  shownItems: number;
}
