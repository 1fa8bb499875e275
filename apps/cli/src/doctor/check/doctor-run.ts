import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import type { ProcessIo } from "@unroll/program";

/** What a check goes by. */
export interface DoctorRun {
  readonly io: ProcessIo;
  readonly host: Host;
  /** A person or a program wants it to stop. */
  readonly signal: AbortSignal;
}

/** What a check goes by that needs a config. */
export interface ConfiguredRun extends DoctorRun {
  readonly config: ResolvedConfig;
  /** Nobody has a key or a login, and nothing says that one was meant: the built-in model stands in. */
  readonly isDemo: boolean;
}
