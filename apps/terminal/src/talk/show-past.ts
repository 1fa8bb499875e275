import { toPriceOf } from "../text/to-price-of.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";
import { toPastEvents } from "./to-past-events.ts";

/** More is not looked back at; `unroll threads show` has all of it. */
const shownSteps = 1000;

/** Shows what was said in the thread before, as it was shown then. */
export async function showPast(talk: Talk): Promise<void> {
  const { createThreadDocument } = await import("@unroll/report");
  const entries = await talk.conversation.entries();
  if (entries.length === 0) return;
  const { steps, account } = createThreadDocument(entries, toPriceOf(talk.conversation.config));
  const hidden = steps.length - shownSteps;
  if (hidden > 0) tell(talk, `(${hidden} earlier steps: unroll threads show has them)`, "muted");
  const { transcript } = talk.desk.surface;
  for (const past of toPastEvents(steps.slice(-shownSteps), account.usage, () => `past_${talk.shownItems++}`)) {
    if (past.type === "told") transcript?.apply(past.event);
    else transcript?.add({ type: "person", text: past.text, images: past.images });
  }
  tell(talk, `Going on with thread ${talk.conversation.thread.id}.`, "muted");
}
