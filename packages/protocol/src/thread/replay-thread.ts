import type { ThreadEvent } from "../event/thread-event.ts";
import type { CallThreadItem, ThreadItem, TodoListThreadItem } from "../event/thread-item.ts";
import { addTokenUsage, noTokenUsage } from "../event/token-usage.ts";
import { toTerminalEvent } from "../event/turn-outcome.ts";
import { readUserInput } from "./item-author.ts";
import type { JournalEntry } from "./journal.ts";
import { listStoredTurns } from "./list-stored-turns.ts";

/**
 * The events of a saved thread, as they were when it ran: fold them like live ones. Rewound turns are left out. A command or a sub-agent whose end
 * was not recorded completes last of all, with the status `unknown`. Some events are not saved: live text, retries, warnings, MCP
 * servers, budgets.
 */
export function* replayThread(entries: readonly JournalEntry[]): Generator<ThreadEvent, void> {
  const kept = new Set(listStoredTurns(entries).map(({ id }) => id));
  let [isKept, usage] = [true, noTokenUsage];
  let plan: TodoListThreadItem | null = null;
  const running = new Map<string, CallThreadItem>();
  /** It comes behind what its response showed. */
  let request: ThreadEvent | null = null;
  for (const entry of entries) {
    if (entry.type === "turn.started") isKept = kept.has(entry.turnId);
    if (entry.type === "request" && !entry.request.isInherited)
      usage = addTokenUsage(usage, entry.request.usage ?? noTokenUsage);
    if (entry.type === "usage.counted") usage = addTokenUsage(usage, entry.usage);
    if (!isKept) continue;
    if (request !== null && showsMore(entry)) {
      yield request;
      request = null;
    }
    switch (entry.type) {
      case "thread.opened":
        yield { type: "thread.started", thread_id: entry.threadId };
        break;
      case "turn.started":
        yield { type: "turn.started", turn_id: entry.turnId };
        break;
      case "item": {
        const input = readUserInput(entry.item.item);
        if (input !== null) yield { type: "input.received", input };
        break;
      }
      case "item.ended":
        running.delete(entry.item.id);
        yield { type: "item.completed", item: entry.item };
        break;
      case "told":
        if (entry.event.type === "item.updated") {
          const { item } = entry.event;
          if (item.type === "todo_list") plan = item;
          else running.set(item.id, item);
        }
        yield entry.event;
        break;
      case "request": {
        const { responseId, usage: used, cache } = entry.request;
        request = { type: "request.completed", response_id: responseId, usage: used, cache };
        break;
      }
      case "turn.ended":
        if (plan !== null) yield { type: "item.completed", item: plan };
        plan = null;
        yield toTerminalEvent(entry.outcome, usage);
        break;
      case "usage.counted":
      case "agent.started":
      case "settings":
      case "epoch":
      case "epoch.undone":
      case "call.asked":
      case "call.started":
      case "thread.rewound":
      case "note":
      case "items.reserved":
    }
  }
  if (request !== null) yield request;
  for (const item of running.values()) yield { type: "item.completed", item: { ...item, status: "unknown" } };
}

/** Whether an entry may show something behind the answer. You may write while that is shown, so notes come in between. */
function showsMore(entry: JournalEntry): boolean {
  if (entry.type === "item") return readUserInput(entry.item.item) !== null;
  return entry.type !== "note" && !(entry.type === "item.ended" && answers.includes(entry.item.type));
}

const answers: readonly ThreadItem["type"][] = ["agent_message", "reasoning", "web_search"];
