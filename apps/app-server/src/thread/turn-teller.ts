import type { Clock } from "@unroll/flow";
import type { ItemDeltaEvent, ThreadEvent, ThreadItem, TokenUsage, TurnTerminalEvent } from "@unroll/protocol";
import { emptyThreadView, reduceThread, takeFinished } from "@unroll/view";
import { toWireError, toWireTurn } from "../map/to-wire-turn.ts";
import { toWireItem } from "../map/to-wire-item.ts";
import type { Notification } from "../schema/notifications.ts";
import type { WireItem } from "../schema/thread-item.ts";
import type { CallNotes } from "./call-notes.ts";

/** Turns the events of one thread into what its clients are told. */
export interface TurnTeller {
  /** In their order. */
  tell(event: ThreadEvent): readonly Notification[];
  /** Of a patch whose diff is known now: its start, where that waited for it. */
  release(itemId: string): readonly Notification[];
  /** Of the running turn, or of the last one; empty before the first. */
  readonly turnId: string;
}

export interface TellerParts {
  readonly threadId: string;
  readonly cwd: () => string;
  readonly contextWindow: number | null;
  readonly notes: CallNotes;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  /** What the person said, told as the first item of the turn; null: nobody said anything. */
  readonly takeInput: () => WireItem | null;
}

export function createTurnTeller(parts: TellerParts): TurnTeller {
  const { threadId, notes, clock } = parts;
  let view = emptyThreadView;
  let turnId = "";
  let turnStartedAt = 0;
  let compactions = 0;
  const startedAt = new Map<string, number>();
  const waiting = new Map<string, ThreadItem>();

  const place = (): { threadId: string; turnId: string } => ({ threadId, turnId });

  function toWire(item: ThreadItem, isOver: boolean): WireItem | null {
    const begun = startedAt.get(item.id);
    const durationMs = isOver && begun !== undefined ? Math.round(clock.elapsed() - begun) : null;
    return toWireItem(item, {
      cwd: notes.cwdOf(item.id) ?? parts.cwd(),
      diff: notes.diffOf(item.id) ?? "",
      durationMs,
    });
  }

  function start(item: ThreadItem): readonly Notification[] {
    if (startedAt.has(item.id)) return [];
    startedAt.set(item.id, clock.elapsed());
    waiting.delete(item.id);
    const wire = toWire(item, false);
    return wire === null ? [] : [started(wire)];
  }

  const started = (item: WireItem): Notification => ({
    method: "item/started",
    params: { ...place(), item, startedAtMs: clock.now() },
  });
  const completed = (item: WireItem): Notification => ({
    method: "item/completed",
    params: { ...place(), item, completedAtMs: clock.now() },
  });

  function complete(item: ThreadItem): readonly Notification[] {
    if (item.type === "todo_list") return tellPlan(item);
    if (item.type === "error") return [{ method: "warning", params: { threadId, message: item.message } }];
    const opening = start(toOpening(item));
    const wire = toWire(item, true);
    if (wire === null) return opening;
    const isPatch = item.type === "file_change" && item.status === "completed";
    return [...opening, completed(wire), ...(isPatch ? tellDiff(item.id) : [])];
  }

  let turnDiff = "";
  function tellDiff(itemId: string): readonly Notification[] {
    turnDiff += notes.diffOf(itemId) ?? "";
    return turnDiff === "" ? [] : [{ method: "turn/diff/updated", params: { ...place(), diff: turnDiff } }];
  }

  function tellPlan({ items }: Extract<ThreadItem, { readonly type: "todo_list" }>): readonly Notification[] {
    const plan = items.map(({ text, completed: isDone }) => ({
      step: text,
      status: isDone ? ("completed" as const) : ("pending" as const),
    }));
    return [{ method: "turn/plan/updated", params: { ...place(), explanation: null, plan } }];
  }

  function tellDelta({ item_id: itemId, kind, delta }: ItemDeltaEvent): readonly Notification[] {
    const params = { ...place(), itemId, delta };
    switch (kind) {
      case "agent_message":
        return [
          ...start({ id: itemId, type: "agent_message", text: "" }),
          { method: "item/agentMessage/delta", params },
        ];
      case "reasoning":
        return [
          ...start({ id: itemId, type: "reasoning", text: "" }),
          { method: "item/reasoning/summaryTextDelta", params: { ...params, summaryIndex: 0 } },
        ];
      case "command_output":
        return [{ method: "item/commandExecution/outputDelta", params }];
    }
  }

  function beginTurn(id: string): readonly Notification[] {
    turnId = id;
    turnStartedAt = clock.now();
    turnDiff = "";
    const said = parts.takeInput();
    const turn = toWireTurn(id, { status: "inProgress", startedAt: turnStartedAt });
    return [
      { method: "thread/status/changed", params: { threadId, status: { type: "active", activeFlags: [] } } },
      { method: "turn/started", params: { threadId, turn } },
      ...(said === null ? [] : [started(said), completed(said)]),
    ];
  }

  function endTurn(event: TurnTerminalEvent): readonly Notification[] {
    const error = event.type === "turn.failed" && event.error.code !== "interrupted" ? toWireError(event.error) : null;
    const status = event.type === "turn.completed" ? "completed" : error === null ? "interrupted" : "failed";
    const turn = toWireTurn(turnId, { status, error, startedAt: turnStartedAt, completedAt: clock.now() });
    startedAt.clear();
    waiting.clear();
    notes.clear();
    return [
      ...(error === null ? [] : [{ method: "error" as const, params: { ...place(), error, willRetry: false } }]),
      { method: "thread/status/changed", params: { threadId, status: { type: "idle" } } },
      { method: "turn/completed", params: { threadId, turn } },
    ];
  }

  function toNotifications(event: ThreadEvent): readonly Notification[] {
    switch (event.type) {
      case "turn.started":
        return beginTurn(event.turn_id);
      case "item.started":
        // a client shows the diff of a patch by its start: that comes with it
        if (event.item.type === "file_change" && notes.diffOf(event.item.id) === null) {
          waiting.set(event.item.id, event.item);
          return [];
        }
        return event.item.type === "todo_list" ? tellPlan(event.item) : start(event.item);
      case "item.updated":
        return event.item.type === "todo_list" ? tellPlan(event.item) : tellProgress(event.item);
      case "item.completed":
        return complete(event.item);
      case "item.delta":
        return tellDelta(event);
      case "request.completed": {
        const { request, thread } = view.usage;
        if (request === null) return [];
        const tokenUsage = {
          total: toTokens(thread),
          last: toTokens(request),
          modelContextWindow: parts.contextWindow,
        };
        return [{ method: "thread/tokenUsage/updated", params: { ...place(), tokenUsage } }];
      }
      case "stream.retrying":
        return [{ method: "error", params: { ...place(), error: toWireError(event.cause), willRetry: true } }];
      case "compaction.started":
        return [started({ type: "contextCompaction", id: `compaction_${turnId}_${compactions}` })];
      case "compaction.completed":
        return [completed({ type: "contextCompaction", id: `compaction_${turnId}_${compactions++}` })];
      case "mcp.server_updated":
        return tellServer(event);
      case "warning":
        return [{ method: "warning", params: { threadId, message: event.message } }];
      case "events.skipped":
        return [{ method: "warning", params: { threadId, message: `${event.count} events were left out.` } }];
      case "turn.completed":
      case "turn.failed":
        return endTurn(event);
      case "thread.started":
      case "question.asked":
      case "question.answered":
      case "epoch.opened":
      case "budget.updated":
      case "mcp.tool_adapted":
        return [];
    }
  }

  function tellProgress(item: ThreadItem): readonly Notification[] {
    if (item.type !== "mcp_tool_call" || item.progress === undefined) return [];
    const { message, done, total } = item.progress;
    const text = message ?? `${done}${total === null ? "" : ` of ${total}`}`;
    return [{ method: "item/mcpToolCall/progress", params: { ...place(), itemId: item.id, message: text } }];
  }

  function tellServer({
    server: name,
    state,
  }: Extract<ThreadEvent, { readonly type: "mcp.server_updated" }>): readonly Notification[] {
    const tell = (status: "starting" | "ready" | "failed", error: string | null): readonly Notification[] => [
      { method: "mcpServer/startupStatus/updated", params: { threadId, name, status, error } },
    ];
    if (state.type === "starting" || state.type === "ready") return tell(state.type, null);
    return state.type === "failed" ? tell("failed", state.message) : [];
  }

  return {
    tell(event) {
      view = takeFinished(reduceThread(view, event)).view;
      return toNotifications(event);
    },
    release(itemId) {
      const item = waiting.get(itemId);
      return item === undefined ? [] : start(item);
    },
    get turnId() {
      return turnId;
    },
  };
}

/** As it was when it began, for one that comes whole. */
function toOpening(item: ThreadItem): ThreadItem {
  if (item.type === "agent_message" || item.type === "reasoning") return { ...item, text: "" };
  return "status" in item ? { ...item, status: "in_progress" } : item;
}

function toTokens(usage: TokenUsage): Extract<
  Notification,
  { readonly method: "thread/tokenUsage/updated" }
>["params"]["tokenUsage"]["total"] {
  return {
    totalTokens: usage.input_tokens + usage.output_tokens,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    cacheWriteInputTokens: usage.cache_write_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}
