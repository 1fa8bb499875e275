import type { Libraries } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { Host } from "@unroll/harness";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { Role } from "@unroll/screen";
import type { PlanMode } from "@unroll/use-cases/plan";
import type { TerminalCommand } from "../command/terminal-command.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { InputHistory } from "../device/history.ts";
import type { Driver } from "../driver.ts";
import { toLines } from "../text/to-lines.ts";
import type { TerminalOptions } from "../terminal-options.ts";

/** What the program is started with. */
export interface AppOptions {
  readonly options: TerminalOptions;
  readonly io: ProcessIo;
  readonly clock: Clock;
  readonly driver: Driver;
  readonly ending: AbortController;
  /** Told of credentials as they become known: none of them is to be written into a crash log. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** All that the parts of the running program work with. */
export interface App extends Opening {
  readonly clock: Clock;
  readonly conversation: Conversation;
  readonly libraries: Libraries;
  /** The thread that the first one is a copy of; null: it is none. */
  readonly copiedFrom: string | null;
  readonly plan: PlanMode;
  readonly history: InputHistory;
  /** Aborts when the program ends. */
  readonly ending: AbortController;
  commands: readonly TerminalCommand[];
  /** Stops what runs; null: nothing does. */
  stopWork: (() => void) | null;
  /** What the requests of the thread that is shown cost, in US dollars; null: of some it is not known. */
  costUsd: number | null;
  /** When what runs began, in ms of the clock; null: nothing runs. */
  workingSince: number | null;
  /** How many items were shown that are of no thread: their ids are made of it. */
  shownItems: number;
}

/** The program while it is being opened. */
export interface Opening {
  readonly io: ProcessIo;
  readonly host: Host;
  /** Of the command line. */
  readonly flags: ProgramFlags;
  readonly driver: Driver;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
}

/** Puts text of the program into the transcript. */
export function tell({ driver }: Pick<Opening, "driver">, text: string, role: Role | null = null): void {
  driver.add({ type: "lines", lines: toLines(text, role === null ? [] : [role]) });
}
