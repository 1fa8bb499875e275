import type { ResolvedConfig } from "@unroll/config";
import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";

/** A program's settings for a thread. Absent or null: as the front end was started. */
export interface RequestedSettings {
  readonly model?: string | null;
  /** Its id in the config. */
  readonly modelProvider?: string | null;
  /** Of `[profiles]`. */
  readonly profile?: string | null;
  readonly cwd?: string | null;
  /** Further folders that commands may write in. */
  readonly addDirs?: readonly string[] | null;
  readonly approvalPolicy?: ApprovalPolicy | null;
  readonly sandbox?: SandboxMode | null;
  /** A permission profile, in place of `sandbox`: a built-in one, or one of the config. */
  readonly permissions?: string | null;
  /** Config keys, dotted or nested. */
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** Replaces the instructions of the model's family; a resumed thread keeps its own. */
  readonly baseInstructions?: string | null;
  /** Behind the instructions. */
  readonly developerInstructions?: string | null;
}

/** A config that the program resolved itself. Nothing is loaded, and the program keeps its model running. */
export interface SettledSettings {
  readonly settled: ResolvedConfig;
}
