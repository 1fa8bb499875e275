import type { JournalEntry } from "@unroll/protocol";
import { pluralize } from "@unroll/text";
import type { CommandContext } from "./terminal-command.ts";

interface Resending {
  /** The journal of the thread. */
  readonly now: readonly JournalEntry[];
  /** The journal that the next request would follow. */
  readonly wanted: readonly JournalEntry[];
}

/** Asks you first if the next request would resend tokens that the provider has cached in another order. False: you declined. */
export async function confirmResending(
  { thread, confirm, tell }: CommandContext,
  title: string,
  { now, wanted }: Resending,
): Promise<boolean> {
  const { measureResent } = await import("../text/measure-context.ts");
  const tokens = thread.isEphemeral ? null : measureResent(now, wanted); // what is not saved cannot be measured
  if (tokens === 0) return true;
  const what = tokens === null ? "earlier messages" : `about ${pluralize(tokens, "token")}`;
  const cost = `The next request resends ${what} uncached.`;
  if (await confirm({ title, facts: [cost] })) return true;
  tell("Nothing was changed.");
  return false;
}
