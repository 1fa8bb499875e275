import type { Writable } from "node:stream";
import type { ProcessIo } from "./process-io.ts";

/**
 * Resolves when all that was written to stdout and stderr has been handed over, or cannot be any more: before that, an exit
 * would cut what goes into a slow pipe. `limit` aborts the wait.
 */
export async function flushOutput(
  { stdout, stderr }: Pick<ProcessIo, "stdout" | "stderr">,
  limit: AbortSignal,
): Promise<void> {
  const given = Promise.withResolvers<void>();
  const giveUp = (): void => given.resolve();
  limit.addEventListener("abort", giveUp);
  if (limit.aborted) giveUp();
  await Promise.race([Promise.all([handOver(stdout.stream), handOver(stderr.stream)]), given.promise]);
  limit.removeEventListener("abort", giveUp);
}

/** The callback also comes where the stream broke. */
function handOver(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
