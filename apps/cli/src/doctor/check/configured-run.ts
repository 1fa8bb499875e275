import type { ResolvedConfig } from "@unroll/config";
import type { ProgramFlags } from "@unroll/program";
import type { CommandRun } from "../../run-command.ts";

/** The context of a check that needs a config. */
export interface ConfiguredRun extends CommandRun {
  readonly flags: ProgramFlags;
  /** The config that the flags lead to. */
  readonly config: ResolvedConfig;
  /** There is no key and no login, and nothing says that one was meant: the built-in model stands in. */
  readonly isDemo: boolean;
}
