import type { ProcessIo } from "@unroll/program";
import type { CommandRun } from "./run-command.ts";

/** The context of every subcommand. */
export interface CommandContext {
  readonly io: ProcessIo;
  /** The subcommand's exit code; the last call counts. */
  readonly exit: (code: number) => void;
  /** Runs a subcommand to its exit code. */
  readonly launch: (work: (run: CommandRun) => Promise<number>) => Promise<void>;
}
