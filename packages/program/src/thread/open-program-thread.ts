import type { OpenThreadOptions, Thread } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";

/**
 * Opens the thread of a program. One that cannot be opened, too, tells what happened (to its MCP servers) before the
 * error is thrown. Imports the harness only now.
 */
export async function openProgramThread(
  options: OpenThreadOptions,
  tell: (event: ThreadEvent) => Promise<void>,
): Promise<Thread> {
  const { HarnessError, openThread } = await import("@unroll/harness");
  try {
    return await openThread(options);
  } catch (error) {
    if (error instanceof HarnessError) for (const event of error.events) await tell(event);
    throw error;
  }
}
