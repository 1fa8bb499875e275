/** A command as it is to run inside the walls. */
export interface InnerCommand {
  /** Program and arguments; never empty. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It runs in a terminal that the harness owns. */
  readonly hasTerminal: boolean;
}

/** What to spawn for it, as data. */
export interface LaunchPlan {
  /** Absolute, or looked up on `environment.PATH`. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Of the launcher: bare of anything that could steer it before the walls stand. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the launcher reads from descriptors 3, 4, ..., in this order. */
  readonly inputs: readonly Uint8Array[];
  /** Whether the launcher reports, as `parseBubblewrapStatus` reads it, on the descriptor after the inputs. */
  readonly reportsStatus: boolean;
  /** Whether all that it starts ends before anything else when the machine runs out of memory. */
  readonly endsFirst: boolean;
}
