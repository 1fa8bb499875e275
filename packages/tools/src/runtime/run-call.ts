import type { Clock } from "@unroll/flow";
import { shortenText } from "@unroll/text";
import type { PreparedCall, ToolContext, ToolResult } from "../tool/tool.ts";

interface NamedCall<Prepared extends PreparedCall> {
  readonly name: string;
  readonly prepared: Prepared;
}
type ReadyCall = Extract<PreparedCall, { readonly type: "call.ready" }>;

/** How long a tool has to settle after an abort, in ms. */
const ABORT_GRACE_MS = 5_000;
const MAX_ERROR_LENGTH = 500;

/** Runs one call to its result. Never throws: what a tool throws, and a tool that ignores an abort, are results too. */
export async function runCall(
  { name, prepared }: NamedCall<PreparedCall>,
  context: ToolContext,
  clock: Clock,
): Promise<ToolResult> {
  if (prepared.type === "call.rejected") return { output: prepared.message };
  if (context.signal.aborted) return { output: "aborted by user before it started" };
  return runReadyCall({ name, prepared }, context, clock);
}

async function runReadyCall(
  { name, prepared }: NamedCall<ReadyCall>,
  context: ToolContext,
  clock: Clock,
): Promise<ToolResult> {
  const startedAt = clock.elapsed();
  const describeAbort = (): string =>
    `aborted by user after ${Math.round((clock.elapsed() - startedAt) / 100) / 10} seconds`;
  const settled = new AbortController();
  try {
    const overdue = passGrace({ aborted: context.signal, settled: settled.signal }, clock);
    const result = await Promise.race([prepared.run(context), overdue]);
    if (result) return result;
    await emitError(context, `The tool ${name} did not stop when the turn was interrupted; it may still be at work.`);
    return { output: `${describeAbort()}; it did not stop in time and may still be at work` };
  } catch (error) {
    if (context.signal.aborted) return { output: describeAbort() };
    const message = `The tool ${name} failed: ${toSafeMessage(error)}`;
    await emitError(context, message);
    return { output: `${message}\nThis is a fault of the tool. Do not repeat the same call; go on another way.` };
  } finally {
    settled.abort();
  }
}

/** Resolves when the grace after an abort is over, or as soon as the call has settled. */
async function passGrace(
  { aborted, settled }: { readonly aborted: AbortSignal; readonly settled: AbortSignal },
  clock: Clock,
): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  AbortSignal.any([aborted, settled]).addEventListener("abort", resolve, { once: true });
  await promise;
  await clock.sleep(ABORT_GRACE_MS, settled);
  return null;
}

function emitError(context: ToolContext, message: string): Promise<void> {
  return context.emit({ type: "item.completed", item: { id: context.nextItemId(), type: "error", message } });
}

/** One line, no stack. */
function toSafeMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.trim().split("\n", 1);
  return shortenText(line, MAX_ERROR_LENGTH) || "unknown error";
}
