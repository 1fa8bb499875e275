import type { Notice, SessionUpdate, ToolCall } from "@agentclientprotocol/sdk/unstable";
import type { Clock } from "@unroll/flow";
import type { ItemDeltaEvent, ThreadEvent, ThreadItem, TodoListThreadItem } from "@unroll/protocol";
import {
  emptyThreadView,
  type NoticeEvent,
  plainStyle,
  reduceThread,
  renderCell,
  takeFinished,
  type ThreadView,
  renderSandbox,
} from "@unroll/view";
import { toFencedText, toTextContent } from "../map/text-content.ts";
import { toToolCall } from "../map/to-tool-call.ts";
import type { ClientOffers } from "./client-offers.ts";

/** The thread's settings that updates need. */
export interface ToldThread {
  readonly config: { readonly cwd: string; readonly modelFamily: { readonly contextWindow: number } };
}

/** Turns the events of one thread into updates, in order. */
export interface UpdateTeller {
  tell(event: ThreadEvent, thread: ToldThread): readonly SessionUpdate[];
}

export interface TellerOptions {
  readonly offers: Pick<ClientOffers, "terminalOutput" | "notices">;
  readonly clock: Pick<Clock, "elapsed">;
}

export function createUpdateTeller(options: TellerOptions): UpdateTeller {
  return new EventTeller(options);
}

/** How often the output of a running command is sent again if the client shows no terminals, in ms. */
const outputPauseMs = 250;
const brokenOff = "\n\n[The connection broke off: the answer begins again.]\n\n";

type Updates = readonly SessionUpdate[];

class EventTeller implements UpdateTeller {
  readonly #options: TellerOptions;
  #view: ThreadView = emptyThreadView;
  #retries = 0;
  #outputAt = 0;

  constructor(options: TellerOptions) {
    this.#options = options;
  }

  tell(event: ThreadEvent, thread: ToldThread): Updates {
    const before = this.#view;
    const now = reduceThread(before, event);
    this.#view = takeFinished(now).view;
    switch (event.type) {
      case "item.started":
      case "item.updated": {
        const known = findItem(before, event.item.id);
        const isLeftRunning = known !== null && event.item.type === "command_execution"; // its output was sent as it came
        return isLeftRunning ? [] : this.#tellItem(event.item, known, thread);
      }
      case "item.completed":
        return this.#complete(event.item, findItem(before, event.item.id), thread);
      case "item.delta":
        return this.#tellDelta(event, findItem(now, event.item_id));
      case "request.completed": {
        const { usage } = event;
        if (usage === null) return [];
        const used = usage.input_tokens + usage.output_tokens;
        const size = this.#view.contextWindow?.tokens ?? thread.config.modelFamily.contextWindow;
        return [{ sessionUpdate: "usage_update", used, size }];
      }
      case "stream.retrying": {
        const { attempt, max_attempts: most, cause } = event;
        const isWaitedFor = cause.code === "server_not_ready";
        const title = isWaitedFor
          ? `Waiting for the server: ${cause.message}`
          : `The request is sent again (${attempt} of ${most}): ${cause.message}`;
        return [...this.#breakOff(before), ...(this.#options.offers.notices ? this.#note("info", title) : [])];
      }
      case "compaction.started":
      case "compaction.completed":
      case "epoch.opened":
      case "events.skipped":
        return this.#noteText(event);
      case "mcp.server_updated": {
        const { server, state } = event;
        return state.type === "failed" ? this.#note("warning", `MCP server ${server}: ${state.message}`) : [];
      }
      case "warning":
        return this.#note("warning", event.message);
      case "sandbox.updated":
        return this.#note("info", renderSandbox(event.sandbox));
      case "thread.started":
      case "input.received": // the client sent it
      case "request.started":
      case "turn.started":
      case "turn.completed":
      case "turn.failed":
      case "question.asked":
      case "question.answered":
      case "budget.updated":
      case "context_window.updated": // told with the next tokens
      case "mcp.tool_adapted":
      case "host.allowed":
      case "host.closed":
        return [];
      case "host.denied":
        return this.#note("warning", event.reason);
    }
  }

  /** `known`: the item as the client has it; null: it has none. */
  #tellItem(item: ThreadItem, known: ThreadItem | null, thread: ToldThread): Updates {
    switch (item.type) {
      case "agent_message":
      case "reasoning":
        return [];
      case "todo_list":
        return [toPlan(item)];
      case "error":
        return this.#note("warning", item.message);
      case "command_execution":
      case "file_change":
      case "mcp_tool_call":
      case "tool_call":
      case "image_view":
      case "web_search": {
        const hasTerminal = this.#options.offers.terminalOutput;
        const call: ToolCall = toToolCall(item, { cwd: thread.config.cwd, hasTerminal });
        return known === null
          ? [{ sessionUpdate: "tool_call", ...call }]
          : [{ sessionUpdate: "tool_call_update", ...call }];
      }
    }
  }

  #complete(item: ThreadItem, known: ThreadItem | null, thread: ToldThread): Updates {
    if (item.type !== "agent_message" && item.type !== "reasoning") return this.#tellItem(item, known, thread);
    const told = known?.type === item.type ? known.text : "";
    const rest = item.text.startsWith(told) ? item.text.slice(told.length) : `\n\n${item.text}`;
    return rest === "" ? [] : [this.#toChunk(item.type, item.id, rest)];
  }

  #tellDelta({ item_id: id, kind, delta }: ItemDeltaEvent, item: ThreadItem | null): Updates {
    if (kind !== "command_output") return [this.#toChunk(kind, id, delta)];
    if (item?.type !== "command_execution") return [];
    if (this.#options.offers.terminalOutput) {
      const data = { terminal_id: id, data: delta };
      return [{ sessionUpdate: "tool_call_update", toolCallId: id, _meta: { terminal_output: data } }];
    }
    const now = this.#options.clock.elapsed();
    if (now - this.#outputAt < outputPauseMs) return [];
    this.#outputAt = now;
    const content = [toTextContent(toFencedText(item.aggregated_output))];
    return [{ sessionUpdate: "tool_call_update", toolCallId: id, content }];
  }

  #toChunk(kind: "agent_message" | "reasoning", id: string, text: string): SessionUpdate {
    const sessionUpdate = kind === "reasoning" ? "agent_thought_chunk" : "agent_message_chunk";
    const messageId = this.#retries === 0 ? id : `${id}_${this.#retries}`;
    return { sessionUpdate, messageId, content: { type: "text", text } };
  }

  /** The text since the request started is void, and the client cannot remove it. */
  #breakOff(before: ThreadView): Updates {
    const live = before.cells.flatMap((cell) => (cell.type === "item" && !cell.isFinished ? [cell.item] : []));
    const marks = live.flatMap(({ type, id }) =>
      type === "agent_message" ? [this.#toChunk(type, id, brokenOff)] : [],
    );
    this.#retries += 1;
    return marks;
  }

  /** In the words of the other programs. */
  #noteText(event: NoticeEvent): Updates {
    const cell = { type: "notice", key: "", isFinished: true, event } as const;
    const title = renderCell(cell, { style: plainStyle, cwd: "", showReasoning: false });
    return title === null ? [] : this.#note("info", title);
  }

  #note(severity: "info" | "warning", title: string): Updates {
    return [toNotice({ severity, title }, this.#options.offers)];
  }
}

/** A message beside the thread; a message of the agent if the client shows no notices. */
export function toNotice(notice: Notice, { notices }: Pick<ClientOffers, "notices">): SessionUpdate {
  if (notices) return { sessionUpdate: "notice", ...notice };
  const text = `${notice.severity === "warning" ? "Warning: " : ""}${notice.title}\n\n`;
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

/** The model gives no priorities. */
function toPlan({ items }: TodoListThreadItem): SessionUpdate {
  const entries = items.map(({ text: content, completed }) => {
    return { content, priority: "medium", status: completed ? "completed" : "pending" } as const;
  });
  return { sessionUpdate: "plan", entries };
}

function findItem({ cells }: ThreadView, id: string): ThreadItem | null {
  const cell = cells.find(({ key }) => key === id);
  return cell?.type === "item" ? cell.item : null;
}
