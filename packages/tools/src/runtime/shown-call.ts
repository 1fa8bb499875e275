import type { Clock } from "@unroll/flow";
import type { CallThreadItem, ThreadEvent, ThreadItem, ToolCallItem, ToolOutputItem } from "@unroll/protocol";
import { describeError } from "../tool/describe-error.ts";
import type { SettledEnding } from "./settle-call.ts";
import { checkEvent } from "./check-tool.ts";

/** A call as those who follow the thread see it: one item, which starts once and ends once. */
export interface ShownCall {
  /** Absent: as a `tool_call`. Null: the tool shows it. */
  readonly begin: (item: CallThreadItem | null | undefined) => Promise<void>;
  /** Ends the call's events. `output` is the model's; null: it gets none yet. */
  readonly end: (ending: SettledEnding, output: ToolOutputItem | null) => Promise<void>;
  /** For the tool's events while it runs. Rejects anything that is not an event, or that it may not emit. */
  readonly emit: (event: ThreadEvent) => Promise<void>;
  /**
   * The error of such an event, which fails the call even if the tool does not await it. Null:
   * there was none.
   */
  readonly fault: string | null;
}

export interface ShownCallPorts {
  readonly itemId: () => string;
  readonly emit: ShownCall["emit"];
  readonly clock: Pick<Clock, "now" | "elapsed">;
}

export function createShownCall(call: ToolCallItem, { itemId, emit, clock }: ShownCallPorts): ShownCall {
  const start = (): { readonly at: number; readonly elapsed: number } => ({
    at: clock.now(),
    elapsed: clock.elapsed(),
  });
  let started = start();
  let begun: CallThreadItem | null | undefined;
  let isOver = false;
  let fault: string | null = null;

  async function tell(event: ThreadEvent): Promise<void> {
    if (!isOver) await emit(stamp(event));
  }

  /** Waiting for an answer is not part of a call's time. */
  function stamp(event: ThreadEvent): ThreadEvent {
    if (event.type === "question.answered" && event.item_id === begun?.id) {
      started = start();
      return { ...event, answered_at: started.at };
    }
    if (!("item" in event) || event.item.id !== begun?.id || !isCallItem(event.item)) return event;
    if (event.type === "item.updated") begun = event.item; // one that is stopped ends as it was shown last
    return { ...event, item: addFacts(event.item, event.type === "item.completed") };
  }

  /** The tool's own facts stay: a background command has its own time. */
  function addFacts(item: CallThreadItem, hasEnded: boolean): CallThreadItem {
    const { call_id = call.call_id, started_at = started.at, duration_ms = clock.elapsed() - started.elapsed } = item;
    return { ...item, call_id, started_at, ...(hasEnded && { duration_ms: Math.round(duration_ms) }) };
  }

  function emitChecked(event: ThreadEvent): Promise<void> {
    try {
      return tell(checkEvent("emit", event));
    } catch (error) {
      fault ??= describeError(error);
      const refused = Promise.reject(error);
      refused.catch(() => {}); // one that nobody waits for would end the process
      return refused;
    }
  }

  async function begin(item: CallThreadItem | null = toToolCallItem(itemId(), call)): Promise<void> {
    begun = item;
    if (item !== null) await tell({ type: "item.started", item });
  }

  function toEnd(ending: SettledEnding): CallThreadItem | null {
    if (ending.type === "ending.stopped") {
      return ending.item ?? stopItem(begun ?? toToolCallItem(itemId(), call), ending);
    }
    if (ending.item !== undefined) return ending.item;
    if (!begun) return null;
    const { fault: reason } = ending;
    return reason === undefined ? { ...begun, status: "completed" } : stopItem(begun, { status: "failed", reason });
  }

  return {
    begin,
    emit: emitChecked,
    get fault() {
      return fault;
    },
    async end(ending, output) {
      const item = toEnd(ending);
      if (item !== null) {
        if (!begun) await begin(reopenItem(item));
        const ended = item.type === "tool_call" && output ? { ...item, output: toText(output) } : item;
        isOver = true;
        await emit({ type: "item.completed", item: addFacts(ended, true) });
      }
      isOver = true;
    },
  };
}

function isCallItem(item: ThreadItem): item is CallThreadItem {
  return "status" in item && item.type !== "web_search";
}

/** In progress. */
function toToolCallItem(id: string, call: ToolCallItem): CallThreadItem {
  const input = call.type === "function_call" ? readJson(call.arguments) : call.input;
  return { id, type: "tool_call", tool: call.name, arguments: input, output: null, status: "in_progress" };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stopItem(
  item: CallThreadItem,
  { status, reason }: { readonly status: "failed" | "declined"; readonly reason: string },
): CallThreadItem {
  return item.type === "mcp_tool_call" ? { ...item, status, error: { message: reason } } : { ...item, status, reason };
}

/** As it would have been when the call began. */
function reopenItem(item: CallThreadItem): CallThreadItem {
  if (item.type === "mcp_tool_call") return { ...item, status: "in_progress", error: null };
  const { reason: _reason, ...begun } = item;
  return { ...begun, status: "in_progress" };
}

function toText({ output }: ToolOutputItem): string {
  return typeof output === "string" ? output : output.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}
