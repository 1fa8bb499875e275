import { accountThread, type PriceOf, type RequestRow, type SavedAgent, type ThreadAccount } from "@unroll/accounting";
import {
  type ContentPart,
  type HostClosedEvent,
  isToolOutput,
  type JournalEntry,
  listStoredTurns,
  readAuthor,
  readTexts,
  replayThread,
  type RequestHead,
  type ThreadEvent,
  type ThreadItem,
  type UserInputPart,
} from "@unroll/protocol";
import { pluralize } from "@unroll/text";
import { describeMoved } from "../text/describe-moved.ts";

/** A thread as it can be shown: plain data, whose strings are texts of people, models, tools and servers. */
export interface ThreadDocument {
  readonly threadId: string;
  readonly model: string;
  readonly provider: string;
  /** The folder in which it worked last; null: it does not say. */
  readonly cwd: string | null;
  /** Null: another program started the thread and kept none. */
  readonly head: RequestHead | null;
  /** The messages of the harness and the project before your first message. */
  readonly opening: readonly OpeningMessage[];
  readonly steps: readonly DocumentStep[];
  readonly account: ThreadAccount;
  /** Each one before its own sub-agents. */
  readonly agents: readonly AgentDocument[];
}

/** The thread of a sub-agent. */
export interface AgentDocument extends Pick<ThreadDocument, "threadId" | "steps" | "account"> {
  /** With those above it: `worker / explorer 2`. */
  readonly name: string;
  /** A sentence that says which part is left out; null: none. */
  readonly missing: string | null;
}

/** How many characters the steps of all sub-agents may have, as JSON. */
const mostAgentCharacters = 2_000_000;

interface OpeningMessage {
  readonly role: string;
  readonly text: string;
}

/** One thing that was shown in a thread, in order. */
export type DocumentStep =
  | { readonly type: "turn"; readonly turn: number }
  /** `from`: the model of the thread that started this one as a sub-agent wrote it; absent: you did. */
  | { readonly type: "input"; readonly text: string; readonly images: readonly string[]; readonly from?: "agent" }
  /** `images`: what a tool gave the model to see. */
  | { readonly type: "item"; readonly item: ThreadItem; readonly images: readonly string[] }
  | { readonly type: "request"; readonly row: RequestRow }
  /** One sentence of the harness's. */
  | { readonly type: "note"; readonly text: string };

/** The author of a sub-agent's task, and of messages to it. */
export const agentAuthor = "the agent that started it";

/** `entries`: of the thread's journal. Undone turns and encrypted contents are left out. */
export function createThreadDocument(
  entries: readonly JournalEntry[],
  priceOf: PriceOf,
  agents: readonly SavedAgent[] = [],
): ThreadDocument {
  const account = accountThread(entries, priceOf);
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const settings = entries.findLast((entry) => entry.type === "settings")?.settings;
  return {
    threadId: opened?.threadId ?? "",
    model: opened?.model ?? "",
    provider: opened?.provider ?? "",
    cwd: settings?.cwd ?? null,
    head: opened?.head ?? null,
    opening: listOpening(entries),
    steps: listSteps(entries, account.rows),
    account,
    agents: listAgents(agents, priceOf),
  };
}

/** The last steps of a thread that is longer than its share of the room are left out. */
function listAgents(agents: readonly SavedAgent[], priceOf: PriceOf): readonly AgentDocument[] {
  const whole = agents.map(({ entries, ...agent }) => {
    const { steps, account } = createThreadDocument(entries ?? [], priceOf);
    const sizes = steps.map((step) => JSON.stringify(step).length);
    return { ...agent, steps, account, sizes, isFound: entries !== null };
  });
  const share = findShare(whole.map(({ sizes }) => sizes.reduce((sum, size) => sum + size, 0)));
  return whole.map(({ threadId, name, steps, account, sizes, isFound }) => {
    let used = 0;
    const end = sizes.findIndex((size) => (used += size) > share);
    const kept = end === -1 ? steps : steps.slice(0, end);
    const left = `${pluralize(steps.length - kept.length, "later step")} left out. The whole thread: unroll threads export ${threadId}`;
    const missing = !isFound ? "This thread cannot be read here." : end === -1 ? null : left;
    return { threadId, name, steps: kept, account, missing };
  });
}

/** The most that each may have, so that they fit together: short ones leave their room to long ones. */
function findShare(lengths: readonly number[]): number {
  let [room, others] = [mostAgentCharacters, lengths.length];
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length > room / others) return room / others;
    room -= length;
    others -= 1;
  }
  return Infinity;
}

function listOpening(entries: readonly JournalEntry[]): readonly OpeningMessage[] {
  const opening: OpeningMessage[] = [];
  for (const entry of entries) {
    if (entry.type !== "item") continue;
    const { item } = entry.item;
    if (item.type !== "message" || readAuthor(item).type !== "harness") break;
    opening.push({ role: item.role, text: readTexts(item.content).join("") });
  }
  return opening;
}

function listSteps(entries: readonly JournalEntry[], rows: readonly RequestRow[]): readonly DocumentStep[] {
  const kept = listStoredTurns(entries);
  const numbers = new Map(kept.map(({ id, number }) => [id, number]));
  const asked = listKeptRows(entries, rows);
  const images = findImages(entries);
  return [...replayThread(entries)].flatMap((event): readonly DocumentStep[] => {
    if (event.type === "turn.started") return [{ type: "turn", turn: numbers.get(event.turn_id) ?? 0 }];
    if (event.type === "input.received") return event.input.length === 0 ? [] : [toInputStep(event.input)];
    if (event.type === "item.completed") return [{ type: "item", item: event.item, images: images.take(event.item) }];
    if (event.type === "request.completed") {
      const row = asked.shift() ?? null;
      return row === null ? [] : [{ type: "request", row }];
    }
    const text = describeEvent(event);
    return text === null ? [] : [{ type: "note", text }];
  });
}

function toInputStep(input: readonly UserInputPart[]): DocumentStep {
  const text = input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const urls = input.flatMap((part) => (part.type === "image" ? [part.dataUrl] : []));
  const from = input.some((part) => part.type === "text" && part.from === "agent") && { from: "agent" as const };
  const images = urls.filter(isPicture);
  return { type: "input", text: [text, ...urls.flatMap(explainMissing)].join("\n"), images, ...from };
}

/** Null: the event is not shown. */
function describeEvent(event: ThreadEvent): string | null {
  if (event.type === "turn.failed") return `The turn did not complete: ${event.error.message}`;
  if (event.type === "question.answered") return `You were asked (${event.question}): ${event.answer}.`;
  if (event.type === "compaction.completed") return describeCompaction(event);
  if (event.type === "host.denied") return `Host denied: ${event.reason}`;
  if (event.type === "host.closed") return `Host reached: ${event.host}:${event.port}, ${describeHost(event)}.`;
  if (event.type !== "epoch.opened") return null;
  return `New epoch with ${event.items} items, ${event.shared_items} shared: ${event.cause}.`;
}

function describeHost(event: HostClosedEvent): string {
  const { connections, sent_bytes: sentBytes, received_bytes: receivedBytes } = event;
  return describeMoved({ connections, sentBytes, receivedBytes });
}

function describeCompaction(event: Extract<ThreadEvent, { readonly type: "compaction.completed" }>): string {
  const summary = event.summary === null ? "" : ` Summary: ${event.summary}`;
  return `Compacted from about ${event.tokens_before} to ${event.tokens_after} tokens.${summary}`;
}

/** A row for each request of the turns that were not undone, in order; null: another thread made it. */
function listKeptRows(entries: readonly JournalEntry[], rows: readonly RequestRow[]): (RequestRow | null)[] {
  const kept = new Set(listStoredTurns(entries).map(({ id }) => id));
  let [isKept, at] = [true, 0];
  return entries.flatMap((entry): readonly (RequestRow | null)[] => {
    if (entry.type === "turn.started") isKept = kept.has(entry.turnId);
    if (entry.type !== "request") return [];
    const row = entry.request.isInherited ? null : (rows[at++] ?? null);
    return isKept ? [row] : [];
  });
}

interface ToolImages {
  take(item: ThreadItem): readonly string[];
}

/** The pictures in outputs, and in the messages that follow a call that looked at one. */
function findImages(entries: readonly JournalEntry[]): ToolImages {
  const outputs = new Map<string, readonly string[]>();
  const followUps: (readonly string[])[] = [];
  for (const entry of entries) {
    if (entry.type !== "item") continue;
    const { item } = entry.item;
    if (isToolOutput(item) && typeof item.output !== "string") outputs.set(item.call_id, listPictures(item.output));
    if (item.type === "message" && readAuthor(item).type === "tool") followUps.push(listPictures(item.content));
  }
  return {
    take(item) {
      if (item.type === "image_view" && ["completed", "unknown"].includes(item.status)) return followUps.shift() ?? [];
      return "call_id" in item ? (outputs.get(item.call_id) ?? []) : [];
    },
  };
}

function listPictures(parts: readonly ContentPart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === "input_image" && isPicture(part.image_url) ? [part.image_url] : []));
}

/**
 * Only pictures that are in the item itself: the reader's browser would contact an address. Looks for what must not be
 * there: a pattern of the whole can take more stack than there is for some megabytes.
 */
function isPicture(url: string): boolean {
  const start = /^data:image\/(?:png|jpeg|gif|webp);base64,(?=.)/.exec(url);
  return start !== null && !/[^\w+/=-]/.test(url.slice(start[0].length));
}

function explainMissing(url: string): readonly string[] {
  return isPicture(url) ? [] : ["[a picture that is not in the thread]"];
}

/** The names of the tools that the model had, for people. Empty: none. */
export function listToolNames(head: RequestHead | null): string {
  return (head?.tools ?? []).map(({ name }) => name).join(", ");
}
