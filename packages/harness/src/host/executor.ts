import type { PatchFiles } from "@unroll/apply-patch";
import type { McpConnect } from "@unroll/mcp";
import type { PromptFiles } from "@unroll/prompt";
import type { CommandRunner, OutputFiles, BackgroundCommandRunner } from "@unroll/tools";

/**
 * The disk and the processes that threads work on, in the place of this machine's: for a simulation, or where commands run
 * elsewhere. No sandbox stands around its commands: walls are its own to build.
 */
export interface Executor {
  /** Instructions, AGENTS.md and skills. */
  readonly promptFiles: PromptFiles;
  readonly patchFiles: PatchFiles;
  /** Disposed when the thread is closed. */
  readonly openOutputFiles: (threadId: string) => OutputFiles & AsyncDisposable;
  readonly runner: CommandRunner & BackgroundCommandRunner;
  /** Reaches the MCP servers of the config. Absent: their programs run on this machine. */
  readonly connectMcp?: McpConnect;
}
