import type { ProgramFlags } from "@unroll/program";

/** What the command line of `unroll acp` says, and what the program around it does. */
export interface AcpOptions extends ProgramFlags {
  /** Of our release. */
  readonly version: string;
  /** Opens a page in the person's browser; false: there is none. */
  readonly openPage: (url: string) => Promise<boolean>;
}
