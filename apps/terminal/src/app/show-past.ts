import { accountThread, type ThreadAccount } from "@unroll/accounting";
import { replayThread, type UserInputPart } from "@unroll/protocol";
import { toPriceOf } from "@unroll/use-cases/prices";
import { type App, tell } from "./app.ts";

/** More events are not looked back at; `unroll threads show` has all of them. */
const shownEvents = 1000;

/** Shows the thread that is resumed, as it was shown when it ran. `copiedFrom`: it is a copy of that one. */
export async function showPast(app: App, copiedFrom: string | null = null): Promise<void> {
  if (!(await replay(app, shownEvents))) return;
  const { id } = app.conversation.thread;
  const which = copiedFrom === null ? `thread ${id}` : `a copy of thread ${copiedFrom}: the thread ${id}`;
  tell(app, `Going on with ${which}.`, "muted");
}

/** Shows at most so many of the last events of the thread; false: it has none. */
export async function replay(app: App, most: number): Promise<boolean> {
  const entries = await app.conversation.entries();
  if (entries.length === 0) return false;
  const all = [...replayThread(entries)];
  const hidden = all.length - most;
  if (hidden > 0) tell(app, `(${hidden} earlier events: unroll threads show has them)`, "muted");
  for (const event of all.slice(-most)) {
    if (event.type === "input.received") app.driver.add({ type: "person", ...describeInput(event.input) });
    else await app.driver.apply(event);
  }
  app.costUsd = toKnownCost(accountThread(entries, toPriceOf(app.conversation.config)));
  return true;
}

function describeInput(input: readonly UserInputPart[]): { readonly text: string; readonly images: number } {
  const text = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { text, images: input.filter(({ type }) => type === "image").length };
}

/** Null where it is not known of all that was used. */
function toKnownCost({ rows, usage, cost, unpricedRequests }: ThreadAccount): number | null {
  const isTold = rows.length > 0 || usage.input_tokens === 0;
  return isTold && unpricedRequests === 0 ? (cost?.withCache ?? 0) : null;
}
