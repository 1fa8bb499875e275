import type { ProcessLaunch } from "@unroll/process-tree";

/** A command as it is to run inside the walls. */
export interface InnerCommand {
  /** Program and arguments; never empty. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It runs in a terminal that the harness owns. */
  readonly hasTerminal: boolean;
}

/**
 * What to spawn for it: a launcher, in an environment that is bare of anything that could steer it before the walls stand. What
 * it reports is as `parseBubblewrapStatus` reads it.
 */
export type LaunchPlan = Omit<ProcessLaunch, "marker">;
