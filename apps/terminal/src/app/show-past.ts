import type { ThreadAccount } from "@unroll/accounting";
import { type JournalEntry, listKeptTurns } from "@unroll/protocol";
import type { DocumentStep } from "@unroll/report";
import { toPriceOf } from "@unroll/use-cases/prices";
import { type App, tell } from "./app.ts";
import { toPastEvents } from "./to-past-events.ts";

/** More is not looked back at; `unroll threads show` has all of it. */
const shownSteps = 1000;

/** Shows the thread that is gone on with, as it was shown then. `copiedFrom`: it is a copy of that one. */
export async function showPast(app: App, copiedFrom: string | null = null): Promise<void> {
  if (!(await replay(app, shownSteps))) return;
  const { id } = app.conversation.thread;
  const which = copiedFrom === null ? `thread ${id}` : `a copy of thread ${copiedFrom}: the thread ${id}`;
  tell(app, `Going on with ${which}.`, "muted");
}

/** Shows at most so many of the last steps of the thread; false: it has none. */
export async function replay(app: App, most: number): Promise<boolean> {
  const { createThreadDocument } = await import("@unroll/report");
  const entries = await app.conversation.entries();
  if (entries.length === 0) return false;
  const { steps: all, account } = createThreadDocument(entries, toPriceOf(app.conversation.config));
  const steps = dropTakenBack(all, entries);
  const hidden = steps.length - most;
  if (hidden > 0) tell(app, `(${hidden} earlier steps: unroll threads show has them)`, "muted");
  const { driver } = app;
  for (const past of toPastEvents(steps.slice(-most), account.usage, () => `past_${app.shownItems++}`)) {
    if (past.type === "told") await driver.apply(past.event);
    else driver.add({ type: "person", text: past.text, images: past.images });
  }
  app.costUsd = toKnownCost(account);
  return true;
}

/** Null where it is not known of all that was used. */
function toKnownCost({ rows, usage, cost, unpricedRequests }: ThreadAccount): number | null {
  const isTold = rows.length > 0 || usage.input_tokens === 0;
  return isTold && unpricedRequests === 0 ? (cost?.withCache ?? 0) : null;
}

/** Without the turns that were taken back. */
function dropTakenBack(steps: readonly DocumentStep[], entries: readonly JournalEntry[]): readonly DocumentStep[] {
  const kept = new Set(listKeptTurns(entries).map(({ number }) => number));
  let isKept = true;
  return steps.filter((step) => {
    if (step.type === "turn") isKept = kept.has(step.turn);
    return isKept;
  });
}
