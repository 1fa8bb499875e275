import type { ProgramFile } from "../program/parse-program-file.ts";

/** What to spawn, as data. */
export interface ProcessLaunch {
  /** Absolute; of a command as it stands there, and looked up on `environment.PATH`. */
  readonly file: ProgramFile;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** All that the process gets, but for the variable of its marker. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads from descriptors 3, 4, ..., in this order. */
  readonly inputs: readonly Uint8Array[];
  /** Whether it reports on the descriptor after the inputs. */
  readonly reportsStatus: boolean;
  /** Whether it and all that it starts end before anything else when the machine runs out of memory. Linux only; no unless it says so. */
  readonly endsFirst?: boolean;
  /** Marks all its processes; unique to this launch. See `ProcessTree`. */
  readonly marker: string;
}
