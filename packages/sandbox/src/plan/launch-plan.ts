import type { ProcessLaunch } from "@unroll/process-tree";

/** A command as it runs inside the sandbox. */
export interface InnerCommand {
  /** Program and arguments; never empty. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It runs in a terminal that the harness owns. */
  readonly hasTerminal: boolean;
}

/**
 * The process to spawn: a launcher, with no variable that could influence it before the sandbox is
 * complete. `parseBubblewrapStatus` reads what it reports.
 */
export type LaunchPlan = Omit<ProcessLaunch, "marker">;
