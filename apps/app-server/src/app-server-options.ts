import type { ProgramFlags } from "@unroll/program";

/** What the command line of `unroll app-server` says. */
export interface AppServerOptions extends ProgramFlags {
  /** `stdio://`, `unix://PATH` or `ws://127.0.0.1:PORT`. Absent: stdio. */
  readonly listen?: string;
  /** Of our release. */
  readonly version: string;
}
