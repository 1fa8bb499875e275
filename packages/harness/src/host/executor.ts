import type { PatchFiles } from "@unroll/apply-patch";
import type { McpConnect } from "@unroll/mcp";
import type { PromptFiles } from "@unroll/prompt";
import type { CommandRunner, OutputFiles, BackgroundCommandRunner } from "@unroll/tools";

/**
 * The disk and the processes that threads work on, instead of this machine's: for a simulation, or
 * to run commands elsewhere. Its commands run without our sandbox: confining them is the executor's
 * own task.
 */
export interface Executor {
  /** Instructions, AGENTS.md and skills. */
  readonly promptFiles: PromptFiles;
  readonly patchFiles: PatchFiles;
  /** Disposed when the thread is closed. */
  readonly openOutputFiles: (threadId: string) => OutputFiles & AsyncDisposable;
  readonly runner: CommandRunner & BackgroundCommandRunner;
  /** Connects to the MCP servers of the config. Absent: they run on this machine. */
  readonly connectMcp?: McpConnect;
}
