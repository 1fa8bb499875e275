import type { SimpleCommand } from "../command/simple-command.ts";
import type { ScriptFlaw } from "../flaw/script-flaw.ts";

/** Every simple command of a script, however deep, in the order in which it is written. */
export interface ScriptReading {
  readonly commands: readonly SimpleCommand[];
  /** Null where the list is complete. */
  readonly flaw: ScriptFlaw | null;
  /** Functions that start themselves again in the background or in a pipe. */
  readonly forkBombs: readonly string[];
}

/** The reading of a script that cannot be read. `reason` is a noun phrase. */
export function toUnreadable(reason: string): ScriptReading {
  return { commands: [], flaw: { type: "unreadable", reason }, forkBombs: [] };
}

export const unknownScript: ScriptReading = toUnreadable("a script that is only known when it runs");
