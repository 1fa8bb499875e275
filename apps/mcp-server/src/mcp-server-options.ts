import type { ProgramFlags } from "@unroll/program";

/** What the command line of `unroll mcp-server` says: it holds for all threads, behind what a call says of its own. */
export interface McpServerOptions extends ProgramFlags {
  /** Of the program, as clients see it. */
  readonly version: string;
}
