import { accountThread, type PriceOf, type RequestRow, type ThreadAccount } from "@unroll/accounting";
import {
  type ContentPart,
  type EndedCall,
  type JournalEntry,
  listCallEnds,
  type RequestHead,
  type ResponseItem,
  type ToolOutputItem,
} from "@unroll/protocol";
import { describeCall, type ShownCall } from "./describe-call.ts";

/** A thread as it can be shown: plain data, whose strings are texts of people, models, tools and servers. */
export interface ThreadDocument {
  readonly threadId: string;
  readonly model: string;
  readonly provider: string;
  /** Null: another program started the thread and kept none. */
  readonly head: RequestHead | null;
  /** What stands in front of the first turn: what the harness and the project tell. */
  readonly opening: readonly DocumentStep[];
  readonly steps: readonly DocumentStep[];
  readonly account: ThreadAccount;
}

/** One thing that happened in a thread, in order, as a document tells it. */
export type DocumentStep =
  | { readonly type: "turn"; readonly turn: number }
  | { readonly type: "message"; readonly role: string; readonly text: string; readonly images: readonly string[] }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "call" } & ShownCall & CallResult)
  | { readonly type: "search"; readonly query: string }
  /** An item that this version does not know, or that only a server can read. */
  | { readonly type: "other"; readonly itemType: string }
  | { readonly type: "request"; readonly row: RequestRow }
  | { readonly type: "epoch"; readonly cause: string; readonly items: number }
  /** The epoch before was returned to. */
  | { readonly type: "undone" }
  | { readonly type: "ended"; readonly how: string };

interface CallResult {
  /** Null: there is none. */
  readonly output: string | null;
  readonly images: readonly string[];
  /** What became of it; null: that was not written down. */
  readonly ended: EndedCall | null;
}

/** `entries`: of the thread's journal. Encrypted contents are left out. */
export function createThreadDocument(entries: readonly JournalEntry[], priceOf: PriceOf): ThreadDocument {
  const account = accountThread(entries, priceOf);
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const steps = listSteps(entries, account.rows);
  const first = steps.findIndex(({ type }) => type === "turn");
  return {
    threadId: opened?.threadId ?? "",
    model: opened?.model ?? "",
    provider: opened?.provider ?? "",
    head: opened?.head ?? null,
    opening: steps.slice(0, Math.max(first, 0)),
    steps: steps.slice(Math.max(first, 0)),
    account,
  };
}

function listSteps(entries: readonly JournalEntry[], rows: readonly RequestRow[]): readonly DocumentStep[] {
  const outputs = new Map(entries.flatMap(listItems).flatMap(toOutputEntry));
  const ends = listCallEnds(entries);
  const shown = new Set<string>();
  const counts = { turn: 0, request: 0 };

  function toSteps(entry: JournalEntry): readonly DocumentStep[] {
    switch (entry.type) {
      case "turn.started":
        return [{ type: "turn", turn: (counts.turn += 1) }];
      case "item":
        return showItem(entry.item.item, { outputs, ends });
      case "request": {
        const row = entry.request.isInherited ? undefined : rows[counts.request++];
        return row === undefined ? [] : [{ type: "request", row }];
      }
      case "epoch": {
        // what it takes over was shown before
        const added = entry.items.map(({ item }) => item).filter((item) => !shown.has(toKey(item)));
        const opening = { type: "epoch", cause: entry.cause, items: entry.items.length } as const;
        return [opening, ...added.flatMap((item) => showItem(item, { outputs, ends }))];
      }
      case "epoch.undone":
        return [{ type: "undone" }];
      case "turn.ended":
        return describeEnd(entry);
      case "thread.opened":
      case "settings":
      case "call.ended":
      case "note":
      case "items.reserved":
        return [];
    }
  }

  return entries.flatMap((entry) => {
    const steps = toSteps(entry);
    if (entry.type === "item") shown.add(toKey(entry.item.item));
    if (entry.type === "epoch") for (const { item } of entry.items) shown.add(toKey(item));
    return steps;
  });
}

/** By the item itself, which may be sent in another form than before. */
function toKey(item: ResponseItem): string {
  return JSON.stringify(item);
}

function listItems(entry: JournalEntry): readonly ResponseItem[] {
  if (entry.type === "item") return [entry.item.item];
  return entry.type === "epoch" ? entry.items.map(({ item }) => item) : [];
}

type Outputs = ReadonlyMap<string, ToolOutputItem["output"]>;

function toOutputEntry(item: ResponseItem): readonly (readonly [string, ToolOutputItem["output"]])[] {
  const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return isOutput ? [[item.call_id, item.output]] : [];
}

interface CallFacts {
  readonly outputs: Outputs;
  readonly ends: ReadonlyMap<ResponseItem, EndedCall>;
}

function showItem(item: ResponseItem, { outputs, ends }: CallFacts): readonly DocumentStep[] {
  switch (item.type) {
    case "message":
      return [{ type: "message", role: item.role, ...readParts(item.content) }];
    case "reasoning": {
      const parts = item.summary.length > 0 ? item.summary : (item.content ?? []);
      const text = parts.map((part) => part.text).join("\n\n");
      return text === "" ? [] : [{ type: "reasoning", text }];
    }
    case "function_call":
    case "custom_tool_call": {
      const output = outputs.get(item.call_id);
      const ended = ends.get(item) ?? null;
      return [{ type: "call", ...describeCall(item), ...readOutput(output), ended }];
    }
    case "web_search_call":
      return [{ type: "search", query: item.action?.query ?? "" }];
    case "function_call_output":
    case "custom_tool_call_output":
      return []; // shown with its call
    case "compaction":
      return [{ type: "other", itemType: item.type }];
    case "unknown":
      return [{ type: "other", itemType: item.itemType }];
  }
}

function readOutput(output: ToolOutputItem["output"] | undefined): Omit<CallResult, "ended"> {
  if (output === undefined) return { output: null, images: [] };
  if (typeof output === "string") return { output, images: [] };
  const { text, images } = readParts(output);
  return { output: text, images };
}

/**
 * Only pictures that are in the item itself: an address would be asked by whoever opens the page. Looks for what must not be
 * there: a pattern of the whole can take more stack than there is for some megabytes.
 */
function isPicture(url: string): boolean {
  const start = /^data:image\/(?:png|jpeg|gif|webp);base64,(?=.)/.exec(url);
  return start !== null && !/[^\w+/=-]/.test(url.slice(start[0].length));
}

function readParts(parts: readonly ContentPart[]): { readonly text: string; readonly images: readonly string[] } {
  const texts = parts.map((part) => {
    if (part.type === "refusal") return part.refusal;
    if (part.type !== "input_image") return part.text;
    return isPicture(part.image_url) ? "" : "[a picture that is not in the thread]";
  });
  const images = parts.flatMap((part) =>
    part.type === "input_image" && isPicture(part.image_url) ? [part.image_url] : [],
  );
  return { text: texts.join(""), images };
}

function describeEnd({ outcome }: Extract<JournalEntry, { readonly type: "turn.ended" }>): readonly DocumentStep[] {
  switch (outcome.type) {
    case "completed":
      return [];
    case "failed":
      return [{ type: "ended", how: `The turn failed: ${outcome.error.message}` }];
    case "interrupted":
      return [{ type: "ended", how: "The turn was interrupted." }];
  }
}

/** The names of the tools that the model had, for people. Empty: none. */
export function listToolNames(head: RequestHead | null): string {
  return (head?.tools ?? []).map(({ name }) => name).join(", ");
}
