import type { ProgramFile } from "../program/parse-program-file.ts";

/** A process to spawn, as data. */
export interface ProcessLaunch {
  /** Absolute, by one of the finders; or the first word of a command, looked up on `environment.PATH`. */
  readonly file: ProgramFile;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Everything that the process gets, except the variable of its marker. */
  readonly environment: Readonly<Record<string, string>>;
  /** Bytes to read from descriptors 3, 4 and so on, in this order. */
  readonly inputs: readonly Uint8Array[];
  /** Whether it reports on the descriptor after the inputs. */
  readonly reportsStatus: boolean;
  /** Whether it and everything it starts are killed first when memory runs out. Linux only; default false. */
  readonly endsFirst?: boolean;
  /**
   * Takes a listening socket that it hands over on the descriptor after all others: see `readOffer`.
   * Absent: it has no such descriptor.
   */
  readonly takeListener?: (handle: unknown) => void;
  /** Marks all its processes; unique to this launch. See `ProcessTree`. */
  readonly marker: string;
}
