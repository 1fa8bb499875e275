import type { ServerNotification, WireInput, WireItem } from "@unroll/app-server-protocol";
import type { Clock } from "@unroll/flow";
import type { HostedThread } from "@unroll/thread-host";
import { describeReviewTarget, renderReview, type ReviewTarget } from "@unroll/report";
import type {
  AgentMessageThreadItem,
  EpochOpenedEvent,
  ItemDeltaEvent,
  McpServerUpdatedEvent,
  ThreadEvent,
  ThreadItem,
  TodoListThreadItem,
  TokenUsage,
  TurnTerminalEvent,
  UserInputPart,
} from "@unroll/protocol";
import { parseReview } from "@unroll/use-cases/review";
import {
  createRefusalWatch,
  emptyThreadView,
  plainStyle,
  type EditRefusal,
  reduceThread,
  renderCell,
  takeFinished,
  type ThreadView,
  renderSandbox,
} from "@unroll/view";
import { toActive, toWireError, toWireTurn } from "../map/to-wire-turn.ts";
import { isAgentStart } from "../map/to-collab-call.ts";
import { toStoredInput } from "../map/to-stored-turns.ts";
import { toWireItem } from "../map/to-wire-item.ts";

/** A message of a client, with the id that the client gave it. */
interface ClientMessage {
  readonly input: readonly WireInput[];
  readonly clientUserMessageId?: string | null | undefined;
}

/** The thread of the events. */
interface ToldThread extends Pick<HostedThread<unknown>, "id" | "config" | "isPlanning"> {
  /** The sub-agent whose thread it is. Absent: none, so its messages come from clients. */
  readonly agent?: { readonly costUsd: number | null };
}

/** Turns the events of one thread into notifications. */
export interface TurnTeller {
  /** In their order. */
  tell(event: ThreadEvent, thread: ToldThread): readonly ServerNotification[];
  /** The message of a client: the first item of this turn. */
  expect(turnId: string, said: ClientMessage): void;
  /** A message of a client into the running turn. */
  tellSaid(said: ClientMessage): readonly ServerNotification[];
  /** This turn is a review: its answer becomes findings. */
  expectReview(turnId: string, target: ReviewTarget): void;
  /** Id of the running turn, or of the last one; empty before the first. */
  readonly turnId: string;
}

type TellerClock = Pick<Clock, "now">;

/** `used`: the usage of the thread so far; null: none is known. */
export function createTurnTeller(clock: TellerClock, used: TokenUsage | null): TurnTeller {
  return new EventTeller(clock, used);
}

type Told = readonly ServerNotification[];

const refusalWords: Readonly<Record<EditRefusal, string>> = {
  read_only:
    'This thread is read-only, so the model could not write. To let it edit, choose the sandbox workspace-write in your client, or set sandbox_mode = "workspace-write" in config.toml.',
  always_asks:
    'The approval policy untrusted asks before each edit, and nobody was asked. Choose another policy in your client, or set approval_policy = "on-request" in config.toml.',
};

class EventTeller implements TurnTeller {
  turnId = "";
  readonly #clock: TellerClock;
  /** The thread of the current event. */
  #thread: ToldThread | null = null;
  #said: WireItem | null = null;
  /** How many messages came into the running turn. */
  #words = 0;
  /** The last message of the running turn. */
  #lastMessage: WireItem | null = null;
  /** The id of the turn that is a review. */
  #reviewId: string | null = null;
  /** Whether its findings were sent. */
  #isReviewTold = false;
  #view: ThreadView;
  readonly #refusals = createRefusalWatch();
  #turnStartedAt = 0;
  #turnDiff = "";
  #compactions = 0;
  /** The next epoch is the one of a compaction. */
  #isEpochTold = false;
  /** The turn in which each open item started: a command may outlast its turn. */
  readonly #begun = new Map<string, string>();

  constructor(clock: TellerClock, used: TokenUsage | null) {
    this.#clock = clock;
    const { usage } = emptyThreadView;
    this.#view = { ...emptyThreadView, usage: { ...usage, thread: used ?? usage.thread } };
  }

  expect(turnId: string, said: ClientMessage): void {
    this.#said = toSaid(`user_${turnId}`, said);
  }

  tellSaid(said: ClientMessage): Told {
    return this.#whole(toSaid(`user_${this.turnId}_${++this.#words}`, said));
  }

  expectReview(turnId: string, target: ReviewTarget): void {
    this.#reviewId = `review_${turnId}`;
    this.#isReviewTold = false;
    this.#said = { type: "enteredReviewMode", id: this.#reviewId, review: describeReviewTarget(target) };
  }

  tell(event: ThreadEvent, thread: ToldThread): Told {
    this.#thread = thread;
    this.#view = takeFinished(reduceThread(this.#view, event)).view;
    return [...this.#toNotifications(event), ...this.#explainRefusal(event, thread)];
  }

  /** A review only reads, and a client cannot change the limits of a sub-agent. */
  #explainRefusal(event: ThreadEvent, { config, isPlanning, agent }: ToldThread): Told {
    if (this.#reviewId !== null || agent !== undefined) return [];
    const { sandboxSettings, approvalPolicy } = config;
    const refusal = this.#refusals.see(event, { sandboxMode: sandboxSettings.mode, approvalPolicy, isPlanning });
    if (refusal === null) return [];
    return [{ method: "warning", params: { threadId: this.#threadId, message: refusalWords[refusal] } }];
  }

  #toNotifications(event: ThreadEvent): Told {
    const threadId = this.#threadId;
    switch (event.type) {
      case "turn.started":
        return this.#beginTurn(event.turn_id);
      case "item.started":
      case "item.updated":
      case "item.completed":
        return this.#tellItem(event);
      case "item.delta":
        return this.#tellDelta(event);
      case "request.completed":
        return this.#tellUsage();
      case "stream.retrying":
        return [{ method: "error", params: { ...this.#place(), error: toWireError(event.cause), willRetry: true } }];
      case "compaction.started":
        return [this.#started({ type: "contextCompaction", id: this.#compactionId() })];
      case "compaction.completed":
        this.#isEpochTold = true; // by the end of the item
        return [this.#completed({ type: "contextCompaction", id: this.#compactionId(1) })];
      case "epoch.opened":
        return this.#tellEpoch(event);
      case "mcp.server_updated":
        return tellServer(threadId, event);
      case "warning":
        return [{ method: "warning", params: { threadId, message: event.message } }];
      case "events.skipped":
        return [{ method: "warning", params: { threadId, message: `${event.count} events were left out.` } }];
      case "turn.completed":
      case "turn.failed":
        return this.#endTurn(event);
      case "sandbox.updated":
        return [{ method: "warning", params: { threadId, message: renderSandbox(event.sandbox) } }];
      case "input.received":
        return this.#tellReceived(event.input);
      case "thread.started":
      case "request.started":
      case "question.asked":
      case "question.answered":
      case "budget.updated":
      case "context_window.updated": // told with the next tokens
      case "mcp.tool_adapted":
      case "host.allowed":
      case "host.closed":
        return [];
      case "host.denied":
        return [{ method: "warning", params: { threadId, message: event.reason } }];
    }
  }

  /** Unless all of it is still in the cache, as after a rewind. */
  #tellEpoch(event: EpochOpenedEvent): Told {
    const isTold = this.#isEpochTold || event.shared_items === event.items;
    this.#isEpochTold = false;
    const cell = { type: "notice", key: "", isFinished: true, event } as const;
    const message = renderCell(cell, { style: plainStyle, cwd: "", showReasoning: false });
    return isTold || message === null ? [] : [{ method: "warning", params: { threadId: this.#threadId, message } }];
  }

  get #threadId(): string {
    return this.#thread?.id ?? "";
  }

  #place(turnId = this.turnId): { threadId: string; turnId: string } {
    return { threadId: this.#threadId, turnId };
  }

  /** A client knows its own messages; a sub-agent gets a task. */
  #tellReceived(input: readonly UserInputPart[]): Told {
    if (this.#thread?.agent === undefined) return [];
    return this.#whole(toSaid(`user_${this.turnId}_${this.#words++}`, { input: input.map(toStoredInput) }));
  }

  #started(item: WireItem): ServerNotification {
    return { method: "item/started", params: { ...this.#place(), item, startedAtMs: this.#clock.now() } };
  }

  #completed(item: WireItem, turnId = this.turnId): ServerNotification {
    return { method: "item/completed", params: { ...this.#place(turnId), item, completedAtMs: this.#clock.now() } };
  }

  #whole(item: WireItem): Told {
    return [this.#started(item), this.#completed(item)];
  }

  #beginTurn(id: string): Told {
    const [threadId, clock] = [this.#threadId, this.#clock];
    this.turnId = id;
    this.#turnStartedAt = clock.now();
    this.#turnDiff = "";
    this.#words = 0;
    this.#lastMessage = null;
    const said = this.#said;
    this.#said = null;
    const turn = toWireTurn(id, { status: "inProgress", startedAt: this.#turnStartedAt });
    return [
      { method: "thread/status/changed", params: { threadId, status: toActive(false) } },
      { method: "turn/started", params: { threadId, turn } },
      ...(said === null ? [] : this.#whole(said)),
    ];
  }

  #endTurn(event: TurnTerminalEvent): Told {
    const [threadId, clock] = [this.#threadId, this.#clock];
    const error = event.type === "turn.failed" && event.error.code !== "interrupted" ? toWireError(event.error) : null;
    const status = event.type === "turn.completed" ? "completed" : error === null ? "interrupted" : "failed";
    const times = { startedAt: this.#turnStartedAt, completedAt: clock.now() };
    const prose = event.type === "turn.completed" ? this.#tellProse() : [];
    const summary = this.#lastMessage === null ? {} : { items: [this.#lastMessage], itemsView: "summary" as const };
    this.#reviewId = null;
    return [
      ...prose,
      ...(error === null ? [] : [{ method: "error" as const, params: { ...this.#place(), error, willRetry: false } }]),
      { method: "thread/status/changed", params: { threadId, status: { type: "idle" } } },
      {
        method: "turn/completed",
        params: { threadId, turn: toWireTurn(this.turnId, { status, error, ...times, ...summary }) },
      },
    ];
  }

  #tellItem({ type, item }: Extract<ThreadEvent, { readonly item: ThreadItem }>): Told {
    if (item.type === "todo_list") return this.#tellPlan(item);
    if (type === "item.updated") return this.#tellProgress(item);
    // the item of a sub-agent begins when there is one
    if (item.type === "tool_call" && item.agent === undefined && type === "item.started" && isAgentStart(item))
      return [];
    return type === "item.completed" ? this.#complete(item) : this.#start(item);
  }

  #start(item: ThreadItem): Told {
    if (this.#begun.has(item.id)) return [];
    this.#begun.set(item.id, this.turnId);
    const wire = this.#toWire(item);
    return wire === null ? [] : [this.#started(wire)];
  }

  #complete(item: ThreadItem): Told {
    const threadId = this.#threadId;
    if (item.type === "agent_message" && this.#reviewId !== null) return this.#tellReview(item, this.#reviewId);
    if (item.type === "error") return [{ method: "warning", params: { threadId, message: item.message } }];
    const opening = this.#start(toOpening(item));
    const turnId = this.#begun.get(item.id);
    this.#begun.delete(item.id);
    const wire = this.#toWire(item);
    if (wire === null) return opening;
    if (wire.type === "agentMessage") this.#lastMessage = wire;
    if (item.type === "file_change" && item.status === "completed") this.#turnDiff += item.diff ?? "";
    const hasDiff = item.type === "file_change" && this.#turnDiff !== "";
    const params = { ...this.#place(), diff: this.#turnDiff };
    return [
      ...opening,
      this.#completed(wire, turnId),
      ...(hasDiff ? [{ method: "turn/diff/updated" as const, params }] : []),
    ];
  }

  /** Messages before the review stay as they are. */
  #tellReview(item: AgentMessageThreadItem, id: string): Told {
    const found = parseReview(item.text);
    const text = found === null ? item.text : renderReview(found);
    const message: WireItem = { type: "agentMessage", id: item.id, text, phase: null };
    this.#lastMessage = message;
    const told = [this.#started({ ...message, text: "" }), this.#completed(message)];
    if (found === null) return told;
    this.#isReviewTold = true;
    return [...this.#whole({ type: "exitedReviewMode", id, review: text }), ...told];
  }

  /** A model that wrote no findings in the form of a review: its last message is the review. */
  #tellProse(): Told {
    const message = this.#lastMessage;
    if (this.#reviewId === null || this.#isReviewTold || message?.type !== "agentMessage") return [];
    return this.#whole({ type: "exitedReviewMode", id: this.#reviewId, review: message.text });
  }

  #toWire(item: ThreadItem): WireItem | null {
    return toWireItem(item, { threadId: this.#threadId, cwd: this.#thread?.config.cwd ?? "" });
  }

  #tellDelta({ item_id: itemId, kind, delta }: ItemDeltaEvent): Told {
    const params = { ...this.#place(), itemId, delta };
    switch (kind) {
      case "agent_message":
        if (this.#reviewId !== null) return []; // JSON: sent whole, as text
        return [
          ...this.#start({ id: itemId, type: "agent_message", text: "" }),
          { method: "item/agentMessage/delta", params },
        ];
      case "reasoning":
        return [
          ...this.#start({ id: itemId, type: "reasoning", text: "" }),
          { method: "item/reasoning/summaryTextDelta", params: { ...params, summaryIndex: 0 } },
        ];
      case "command_output":
        return [{ method: "item/commandExecution/outputDelta", params }];
    }
  }

  #tellPlan({ items }: TodoListThreadItem): Told {
    const plan = items.map(({ text, completed }) => ({
      step: text,
      status: completed ? ("completed" as const) : ("pending" as const),
    }));
    return [{ method: "turn/plan/updated", params: { ...this.#place(), explanation: null, plan } }];
  }

  #tellProgress(item: ThreadItem): Told {
    if (item.type === "tool_call" && item.agent !== undefined) return this.#start(item);
    if (item.type !== "mcp_tool_call" || item.progress === undefined) return [];
    const { message, done, total } = item.progress;
    const text = message ?? `${done}${total === null ? "" : ` of ${total}`}`;
    return [{ method: "item/mcpToolCall/progress", params: { ...this.#place(), itemId: item.id, message: text } }];
  }

  #tellUsage(): Told {
    const { request, thread } = this.#view.usage;
    if (request === null) return [];
    const modelContextWindow =
      this.#view.contextWindow?.tokens ?? this.#thread?.config.modelFamily.contextWindow ?? null;
    const tokenUsage = {
      total: toTokens(thread),
      last: toTokens(request),
      modelContextWindow,
      ...this.#thread?.agent,
    };
    return [{ method: "thread/tokenUsage/updated", params: { ...this.#place(), tokenUsage } }];
  }

  #compactionId(more = 0): string {
    const id = `compaction_${this.turnId}_${this.#compactions}`;
    this.#compactions += more;
    return id;
  }
}

function toSaid(id: string, { input, clientUserMessageId = null }: ClientMessage): WireItem {
  return { type: "userMessage", id, clientId: clientUserMessageId, content: [...input] };
}

function tellServer(threadId: string, { server: name, state }: McpServerUpdatedEvent): Told {
  const tell = (status: "starting" | "ready" | "failed", error: string | null): Told => [
    { method: "mcpServer/startupStatus/updated", params: { threadId, name, status, error } },
  ];
  if (state.type === "starting" || state.type === "ready") return tell(state.type, null);
  return state.type === "failed" ? tell("failed", state.message) : [];
}

/** An item as it started, for one that arrives whole. */
function toOpening(item: ThreadItem): ThreadItem {
  if (item.type === "agent_message" || item.type === "reasoning") return { ...item, text: "" };
  return "status" in item ? { ...item, status: "in_progress" } : item;
}

function toTokens(
  usage: TokenUsage,
): Extract<ServerNotification, { readonly method: "thread/tokenUsage/updated" }>["params"]["tokenUsage"]["total"] {
  return {
    totalTokens: usage.input_tokens + usage.output_tokens,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    cacheWriteInputTokens: usage.cache_write_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningOutputTokens: usage.reasoning_output_tokens,
  };
}
