import { type ThreadAccount } from "@unroll/accounting";
import { replayThread } from "@unroll/protocol";
import { reportCache } from "@unroll/use-cases/cache";
import { pluralize } from "@unroll/text";
import { type App, tell } from "./app.ts";

/** At most this many events are shown; `unroll threads show` prints all. */
const shownEvents = 1000;

/** Shows the past of the current thread as it was shown when it ran: at most the last `most` events. False: it has none. */
export async function showPast(app: App, most: number = shownEvents): Promise<boolean> {
  const { current } = app.threads;
  const entries = await current.entries();
  if (entries.length === 0) return false;
  const all = [...replayThread(entries)];
  const hidden = all.length - most;
  if (hidden > 0)
    tell(app, `(${pluralize(hidden, "earlier event")} not shown; \`unroll threads show\` prints all)`, "muted");
  for (const event of all.slice(-most)) await app.driver.apply(event);
  app.costUsd = toKnownCost(reportCache(entries, current.config));
  return true;
}

/** Null: the cost of some usage is unknown. */
function toKnownCost({ rows, usage, cost, unpricedRequests }: ThreadAccount): number | null {
  const isTold = rows.length > 0 || usage.input_tokens === 0;
  return isTold && unpricedRequests === 0 ? (cost?.withCache ?? 0) : null;
}
