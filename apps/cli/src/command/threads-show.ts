import { accountThread } from "@unroll/accounting";
import type { ProcessIo } from "@unroll/program";
import type { JournalEntry, ResponseItem, SentItem, ThreadStore } from "@unroll/protocol";
import { describeAccount } from "@unroll/report";
import { shortenText, showHidden } from "@unroll/text";
import { priceOf } from "../page/price-of.ts";
import { runThreadsCommand } from "./run-threads-command.ts";

interface ShowOptions {
  readonly id: string;
  readonly json?: boolean;
}

/** Of a call and of its output. */
const shownCharacters = 200;

/** Returns the exit code: 2 where there is no such thread. */
export function showThread({ id, json }: ShowOptions, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* (store: ThreadStore) {
    const { entries, repairs } = await store.load(id);
    if (json) {
      for (const { bytes } of entries.flatMap(listItems)) yield toOneLine(bytes);
      return;
    }
    let turn = 0;
    for (const entry of entries) {
      if (entry.type === "turn.started") turn += 1;
      if (entry.type === "turn.started" || turn > 0) for (const text of render(entry, turn)) yield showHidden(text);
    }
    for (const repair of repairs) yield showHidden(`(${repair})`);
    yield* ["", ...describeAccount(accountThread(entries, priceOf))];
  });
}

/** What is sent last; what came before an epoch is in the file. */
function listItems(entry: JournalEntry, at: number, entries: readonly JournalEntry[]): readonly SentItem[] {
  if (at < entries.findLastIndex(({ type }) => type === "epoch")) return [];
  if (entry.type === "epoch") return entry.items;
  return entry.type === "item" ? [entry.item] : [];
}

/** A server may have written it over several. */
function toOneLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/[\r\n]/g, " ");
}

function render(entry: JournalEntry, turn: number): readonly string[] {
  switch (entry.type) {
    case "turn.started":
      return [`\nturn ${turn}`];
    case "turn.ended":
      return entry.outcome.type === "completed" ? [] : [`(the turn was ${describeEnd(entry.outcome)})`];
    case "epoch":
      return [`(begun anew with ${entry.items.length} items: ${entry.cause})`];
    case "item":
      return renderItem(entry.item.item);
    case "thread.opened":
    case "request":
    case "settings":
    case "note":
    case "items.reserved":
      return [];
  }
}

function describeEnd(outcome: Extract<JournalEntry, { readonly type: "turn.ended" }>["outcome"]): string {
  return outcome.type === "failed" ? `not completed: ${outcome.error.message}` : outcome.type;
}

function renderItem(item: ResponseItem): readonly string[] {
  switch (item.type) {
    case "message": {
      const text = item.content.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("");
      return [item.role === "assistant" ? `• ${text}` : `${item.role}> ${text}`];
    }
    case "function_call":
      return [`$ ${item.name} ${toShort(item.arguments)}`];
    case "custom_tool_call":
      return [`$ ${item.name} ${toShort(item.input)}`];
    case "function_call_output":
    case "custom_tool_call_output":
      return [`  ${toShort(typeof item.output === "string" ? item.output : "[images]")}`];
    case "web_search_call":
      return [`$ web search ${toShort(item.action?.query ?? "")}`];
    case "reasoning":
    case "compaction":
    case "unknown":
      return [];
  }
}

function toShort(text: string): string {
  return shortenText(text.trim().replaceAll(/\s+/g, " "), shownCharacters);
}
