import type { ProcessIo } from "@unroll/program";

/** What every subcommand is given. */
export interface CommandContext {
  readonly io: ProcessIo;
  /** The subcommand's exit code; the last call counts. */
  readonly exit: (code: number) => void;
}
