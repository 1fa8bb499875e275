import type {
  ContextWindowUpdatedEvent,
  HostEvent,
  McpServerUpdatedEvent,
  QuestionAnsweredEvent,
  QuestionAskedEvent,
  RequestCache,
  ThreadEvent,
  TurnStartedEvent,
  TurnTerminalEvent,
} from "@unroll/protocol";
import type { Cell, NoticeEvent, QuestionCell } from "./cell.ts";
import { dropLiveItems, dropLiveText, growItem, putItem, restartItem } from "./item-cells.ts";
import type { HostView, McpServerView, ThreadView } from "./thread-view.ts";
import { addRequestUsage, beginTurnUsage, endTurnUsage, forgetRequestUsage } from "../usage/usage-view.ts";

/**
 * The view after one more event of a thread. Pure: the same events give the same view. Its work grows with the cells in
 * the view, so take the finished ones (`takeFinished`). After skipped events (`events.skipped`), live cells whose end
 * was lost are dropped at the next end of a turn.
 */
export function reduceThread(view: ThreadView, event: ThreadEvent): ThreadView {
  switch (event.type) {
    case "thread.started":
      return { ...view, threadId: event.thread_id };
    case "turn.started":
      return {
        ...view,
        turn: { type: "running", turnId: event.turn_id },
        usage: beginTurnUsage(view.usage),
        contextWindow: toWindow(event) ?? view.contextWindow,
      };
    case "context_window.updated":
      return addNotice({ ...view, contextWindow: toWindow(event) }, event);
    case "item.started":
    case "item.updated":
    case "item.completed": {
      const { item } = event;
      const isFinished = event.type === "item.completed";
      const before = isFinished ? withdrawQuestions(view.cells, ({ itemId }) => itemId === item.id) : view.cells;
      const cells = putItem(before, { item, isFinished, turnId: turnOf(view) });
      return { ...view, cells, ...(item.type === "todo_list" ? { plan: item } : {}) };
    }
    case "item.delta":
      return { ...view, retry: null, cells: growItem(view.cells, event, turnOf(view)) };
    case "request.started":
      return view;
    case "input.received": {
      const cell = { type: "input", key: nextKey(view), isFinished: true, input: event.input } as const;
      return { ...view, cells: [...view.cells, cell], noticeCount: view.noticeCount + 1 };
    }
    case "request.completed": {
      const next = { ...view, retry: null, usage: addRequestUsage(view.usage, event.usage) };
      return isNotableMiss(event.cache) ? addNotice(next, event) : next;
    }
    case "budget.updated":
      return { ...view, budget: event.limits };
    case "stream.retrying":
      return { ...view, retry: event, cells: dropLiveText(view.cells) };
    case "question.asked": {
      const key = nextKey(view);
      return { ...view, cells: openQuestion(view.cells, event, key), noticeCount: view.noticeCount + 1 };
    }
    case "question.answered":
      return { ...view, cells: restartItem(answerQuestion(view.cells, event), event) };
    case "mcp.server_updated":
      return addNotice({ ...view, servers: putServer(view.servers, event) }, event);
    case "compaction.completed":
      return addNotice({ ...view, usage: forgetRequestUsage(view.usage) }, event);
    case "host.allowed":
    case "host.closed":
      return { ...view, hosts: putHost(view.hosts, event) };
    case "host.denied":
      return addNotice({ ...view, hosts: putHost(view.hosts, event) }, event);
    case "mcp.tool_adapted":
    case "sandbox.updated":
    case "compaction.started":
    case "epoch.opened":
    case "events.skipped":
    case "warning":
      return addNotice(view, event);
    case "turn.completed":
      return addNotice({ ...endTurn(view, event), turn: { type: "completed" } }, event);
    case "turn.failed":
      return addNotice({ ...endTurn(view, event), turn: { type: "failed", error: event.error } }, event);
  }
}

function turnOf({ turn }: ThreadView): string | null {
  return turn.type === "running" ? turn.turnId : null;
}

function toWindow(event: TurnStartedEvent | ContextWindowUpdatedEvent): ThreadView["contextWindow"] {
  if (event.type === "context_window.updated") return { tokens: event.context_window, origin: event.origin };
  const { context_window: tokens, context_window_origin: origin } = event;
  return tokens === undefined || origin === undefined ? null : { tokens, origin };
}

function endTurn(view: ThreadView, event: TurnTerminalEvent): ThreadView {
  const lasting = dropLiveItems(view.cells);
  // a command that was left running may still ask about a host
  const isOver = ({ question, itemId }: QuestionCell): boolean =>
    question !== "host.approval" || !lasting.some(({ key, isFinished }) => key === itemId && !isFinished);
  return { ...view, retry: null, cells: withdrawQuestions(lasting, isOver), usage: endTurnUsage(view.usage, event) };
}

function addNotice(view: ThreadView, event: NoticeEvent): ThreadView {
  const cell = { type: "notice", key: nextKey(view), isFinished: true, event } as const;
  return { ...view, cells: [...view.cells, cell], noticeCount: view.noticeCount + 1 };
}

/** Items are `item_N`. */
function nextKey({ noticeCount }: ThreadView): string {
  return `notice_${noticeCount}`;
}

/** The last word about a host is whether it was denied. */
function putHost(hosts: readonly HostView[], event: HostEvent): readonly HostView[] {
  if (event.host === null) return hosts;
  const host = `${event.host}:${event.port}`;
  const before = hosts.find((each) => each.host === host) ?? newHost(host);
  const after =
    event.type === "host.closed"
      ? {
          ...before,
          connections: before.connections + event.connections,
          sentBytes: before.sentBytes + event.sent_bytes,
          receivedBytes: before.receivedBytes + event.received_bytes,
        }
      : { ...before, isDenied: event.type === "host.denied" };
  return hosts.includes(before) ? hosts.map((each) => (each === before ? after : each)) : [...hosts, after];
}

function newHost(host: string): HostView {
  return { host, isDenied: false, connections: 0, sentBytes: 0, receivedBytes: 0 };
}

function putServer(
  servers: readonly McpServerView[],
  { server, state }: McpServerUpdatedEvent,
): readonly McpServerView[] {
  const at = servers.findIndex((each) => each.server === server);
  return at < 0 ? [...servers, { server, state }] : servers.with(at, { server, state });
}

function openQuestion(cells: readonly Cell[], event: QuestionAskedEvent, key: string): readonly Cell[] {
  const { question, item_id: itemId, reason } = event;
  return [...cells, { type: "question", key, isFinished: false, question, itemId, reason, state: { type: "open" } }];
}

/** Of several that look the same, the oldest is answered first. */
function answerQuestion(cells: readonly Cell[], event: QuestionAnsweredEvent): readonly Cell[] {
  const at = cells.findIndex(
    (cell) =>
      cell.type === "question" &&
      cell.state.type === "open" &&
      cell.question === event.question &&
      cell.itemId === event.item_id,
  );
  const cell = cells[at];
  if (cell?.type !== "question") return cells;
  return cells.with(at, { ...cell, isFinished: true, state: { type: "answered", answer: event.answer } });
}

function withdrawQuestions(cells: readonly Cell[], isOver: (cell: QuestionCell) => boolean): readonly Cell[] {
  return cells.map((cell) =>
    cell.type === "question" && !cell.isFinished && isOver(cell)
      ? { ...cell, isFinished: true, state: { type: "withdrawn" } }
      : cell,
  );
}

/** Fewer tokens are not worth a line. */
const notableTokens = 4096;

/** Whether a person wants to know: much that was sent before is paid for in full again, and nothing said so beforehand. */
function isNotableMiss({ miss, shared_tokens: shared, cached_tokens: cached }: RequestCache): boolean {
  if (miss === null || cached === null) return false;
  switch (miss.type) {
    case "expired":
    case "unexplained":
      return shared - cached >= notableTokens;
    case "too_short":
    case "not_reported":
    case "model_changed":
    case "provider_changed":
    case "instructions_changed":
    case "tools_changed":
    case "settings_changed":
    case "epoch_opened":
    case "other_input":
    case "history_changed":
    case "other_program":
      return false;
  }
}
