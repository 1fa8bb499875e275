import type { ThreadEvent } from "../event/thread-event.ts";
import type { CallThreadItem, ThreadItem, TodoListThreadItem } from "../event/thread-item.ts";
import { addTokenUsage, noTokenUsage } from "../event/token-usage.ts";
import { toTerminalEvent } from "../event/turn-outcome.ts";
import { isToolOutput } from "../item/tool-call.ts";
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
  let request: { readonly event: ThreadEvent; readonly behind: number } | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "turn.started") isKept = kept.has(entry.turnId);
    if (entry.type === "request" && !entry.request.isInherited)
      usage = addTokenUsage(usage, entry.request.usage ?? noTokenUsage);
    if (entry.type === "usage.counted") usage = addTokenUsage(usage, entry.usage);
    if (!isKept) continue;
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
        const event = { type: "request.completed", response_id: responseId, usage: used, cache } as const;
        request = { event, behind: findLastShown(entries, index) };
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
    if (request === null || index < request.behind) continue;
    yield request.event;
    request = null;
  }
  for (const item of running.values()) yield { type: "item.completed", item: { ...item, status: "unknown" } };
}

/** The last entry that shows what the request at `index` was answered. Entries of sub-agents and of what you write come in between. */
function findLastShown(entries: readonly JournalEntry[], index: number): number {
  let last = index;
  for (let at = index + 1; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined || ends.includes(entry.type)) break;
    if (entry.type === "item" && isToolOutput(entry.item.item)) break; // its calls ran
    if (entry.type === "item.ended" && answers.includes(entry.item.type)) last = at;
  }
  return last;
}

const ends: readonly JournalEntry["type"][] = ["request", "turn.started", "turn.ended"];
const answers: readonly ThreadItem["type"][] = ["agent_message", "reasoning", "web_search"];
