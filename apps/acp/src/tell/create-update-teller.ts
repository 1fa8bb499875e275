import type { SessionUpdate, ToolCall } from "@agentclientprotocol/sdk";
import type { Clock } from "@unroll/flow";
import type { ItemDeltaEvent, RequestCompletedEvent, ThreadEvent, ThreadItem } from "@unroll/protocol";
import { emptyThreadView, reduceThread, takeFinished, type ThreadView } from "@unroll/view";
import { toFencedText } from "../map/fenced-text.ts";
import { toPlan } from "../map/to-plan.ts";
import { toToolCall } from "../map/to-tool-call.ts";
import type { ClientOffers } from "./client-offers.ts";
import { createCompactionTeller } from "./compaction-teller.ts";
import { toTerminalMeta } from "./terminal-meta.ts";
import { tellNotice, toNotice } from "./to-notice.ts";

/** What has to be known of the thread, as it is when it is asked. */
export interface ToldThread {
  /** In tokens. */
  readonly contextWindow: number;
  cwdOf(itemId: string): string;
}

/** Turns the events of one thread into what its client is told, in order. */
export interface UpdateTeller {
  tell(event: ThreadEvent, thread: ToldThread): readonly SessionUpdate[];
}

export interface TellerOptions {
  readonly offers: ClientOffers;
  readonly clock: Pick<Clock, "elapsed">;
}

export function createUpdateTeller(options: TellerOptions): UpdateTeller {
  return new EventTeller(options);
}

/** How often the output of a running command is sent anew, in ms, where the client shows no terminals. */
const outputPauseMs = 250;
const brokenOff = "\n\n[The connection broke off: the answer begins again.]\n\n";

type Updates = readonly SessionUpdate[];

class EventTeller implements UpdateTeller {
  readonly #options: TellerOptions;
  readonly #compactions: ReturnType<typeof createCompactionTeller>;
  #view: ThreadView = emptyThreadView;
  #thread: ToldThread = { contextWindow: 0, cwdOf: () => "" };
  #retries = 0;
  #outputAt = 0;

  constructor(options: TellerOptions) {
    this.#options = options;
    this.#compactions = createCompactionTeller(options.offers);
  }

  tell(event: ThreadEvent, thread: ToldThread): Updates {
    const before = this.#view;
    const now = reduceThread(before, event);
    this.#view = takeFinished(now).view;
    this.#thread = thread;
    return [...this.#tellEvent(event, before, now), ...this.#compactions.tell(event), ...this.#tellNotice(event)];
  }

  #tellEvent(event: ThreadEvent, before: ThreadView, now: ThreadView): Updates {
    switch (event.type) {
      case "item.started":
      case "item.updated":
        return this.#tellItem(event.item, findItem(before, event.item.id));
      case "item.completed":
        return this.#complete(event.item, findItem(before, event.item.id));
      case "item.delta":
        return this.#tellDelta(event, findItem(now, event.item_id));
      case "request.completed":
        return this.#tellUsage(event);
      case "stream.retrying":
        return this.#tellRetry(before);
      case "thread.started":
      case "turn.started":
      case "turn.completed":
      case "turn.failed":
      case "question.asked":
      case "question.answered":
      case "compaction.started":
      case "compaction.completed":
      case "epoch.opened":
      case "budget.updated":
      case "mcp.server_updated":
      case "mcp.tool_adapted":
      case "warning":
      case "events.skipped":
        return [];
    }
  }

  /** `known`: as it was told before; null: it was not. */
  #tellItem(item: ThreadItem, known: ThreadItem | null): Updates {
    if (item.type === "todo_list") return [toPlan(item)];
    const call = this.#toCall(item);
    if (call === null) return [];
    return known === null
      ? [{ sessionUpdate: "tool_call", ...call }]
      : [{ sessionUpdate: "tool_call_update", ...call }];
  }

  #complete(item: ThreadItem, known: ThreadItem | null): Updates {
    if (item.type !== "agent_message" && item.type !== "reasoning") return this.#tellItem(item, known);
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
    const text = toFencedText(item.aggregated_output);
    const content = [{ type: "content" as const, content: { type: "text" as const, text } }];
    return [{ sessionUpdate: "tool_call_update", toolCallId: id, content }];
  }

  #toCall(item: ThreadItem): ToolCall | null {
    if (item.type === "agent_message" || item.type === "reasoning") return null;
    if (item.type === "todo_list" || item.type === "error") return null;
    const hasTerminal = this.#options.offers.terminalOutput;
    const facts = { cwd: this.#thread.cwdOf(item.id), hasTerminal };
    const call = toToolCall(item, facts);
    if (item.type !== "command_execution" || !hasTerminal) return call;
    return { ...call, _meta: toTerminalMeta(item, facts.cwd) };
  }

  #toChunk(kind: "agent_message" | "reasoning", id: string, text: string): SessionUpdate {
    const sessionUpdate = kind === "reasoning" ? "agent_thought_chunk" : "agent_message_chunk";
    const messageId = this.#retries === 0 ? id : `${id}_${this.#retries}`;
    return { sessionUpdate, messageId, content: { type: "text", text } };
  }

  #tellUsage({ usage }: RequestCompletedEvent): Updates {
    const { contextWindow: size } = this.#thread;
    return usage === null
      ? []
      : [{ sessionUpdate: "usage_update", used: usage.input_tokens + usage.output_tokens, size }];
  }

  /** What was said since the request began is void; it cannot be taken back. */
  #tellRetry(before: ThreadView): Updates {
    const live = before.cells.flatMap((cell) => (cell.type === "item" && !cell.isFinished ? [cell.item] : []));
    const told = live.flatMap((item) => (item.type === "agent_message" ? [item] : []));
    const marks = told.map(({ id }) => this.#toChunk("agent_message", id, brokenOff));
    this.#retries += 1;
    return marks;
  }

  #tellNotice(event: ThreadEvent): Updates {
    const notice = toNotice(event);
    const { offers } = this.#options;
    if (notice === null || (event.type === "stream.retrying" && !offers.notices)) return [];
    const isCompaction = event.type === "compaction.started" || event.type === "compaction.completed";
    return isCompaction && offers.compaction ? [] : [tellNotice(notice, offers)];
  }
}

function findItem({ cells }: ThreadView, id: string): ThreadItem | null {
  const cell = cells.find(({ key }) => key === id);
  return cell?.type === "item" ? cell.item : null;
}
