import type { Libraries } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { Host } from "@unroll/harness";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { Role } from "@unroll/screen";
import type { RefusalWatch } from "@unroll/view";
import type { TerminalCommand } from "../command/terminal-command.ts";
import type { InputHistory } from "../device/history.ts";
import type { Driver } from "../driver.ts";
import { toLines } from "../text/to-lines.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import type { TerminalThreads } from "../terminal-threads.ts";

/** The program's options and its surroundings. */
export interface AppOptions {
  readonly options: TerminalOptions;
  readonly io: ProcessIo;
  readonly clock: Clock;
  readonly driver: Driver;
  readonly ending: AbortController;
  /** Called with the known credentials, to keep them out of crash logs. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** The running program. */
export interface App extends Opening {
  readonly clock: Clock;
  readonly threads: TerminalThreads;
  /** The first thread was resumed or copied. */
  readonly isContinued: boolean;
  readonly libraries: Libraries;
  readonly history: InputHistory;
  /** Aborts when the program ends. */
  readonly ending: AbortController;
  commands: readonly TerminalCommand[];
  /** Warnings about your prompt files that were shown. */
  promptWarnings: ReadonlySet<string>;
  /** The running turn or command, and side questions, oldest first. */
  works: readonly Work[];
  /** The cost of the current thread's requests, without its sub-agents, in US dollars; null: some are unknown. */
  costUsd: number | null;
  /** Finds calls of the current thread that its settings refused. */
  refusals: RefusalWatch;
  /** Counts items that belong to no thread. Their ids contain the number. */
  shownItems: number;
  /** Disposed when the program ends: temporary files. */
  readonly leftovers: AsyncDisposableStack;
}

/** A turn, or work like one. */
export interface Work {
  /** When it started, in ms of the clock. */
  readonly since: number;
  /** Aborted once you stopped it. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
  /** Settled when the messages that no request has had are back in your line; null: it was not stopped. It lasts until then. */
  returned: Promise<void> | null;
  /** Messages of yours that are on their way to the thread. */
  sending: readonly Promise<void>[];
}

/** The program while it opens. */
export interface Opening {
  readonly io: ProcessIo;
  readonly host: Host;
  /** The command line's flags. */
  readonly flags: ProgramFlags;
  readonly driver: Driver;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
}

/** Puts text of the program into the transcript. */
export function tell({ driver }: Pick<Opening, "driver">, text: string, role: Role | null = null): void {
  driver.add({ type: "lines", lines: toLines(text, role === null ? [] : [role]) });
}
