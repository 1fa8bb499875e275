import type { ItemDeltaEvent, QuestionAnsweredEvent, ThreadItem } from "@unroll/protocol";
import { sliceWhole } from "@unroll/text";
import type { Cell } from "./cell.ts";

/**
 * How much of a running command's output is kept to show it live, in UTF-16 units. The whole output comes with the
 * command's end.
 */
const maxTailLength = 8192;

/** An item in an event. */
export interface ToldItem {
  readonly item: ThreadItem;
  readonly isFinished: boolean;
  /** As of `ItemCell`, where the item begins with this. */
  readonly turnId: string | null;
}

/** The item as it is now, in its old place or behind all others. */
export function putItem(cells: readonly Cell[], { item, isFinished, turnId }: ToldItem): readonly Cell[] {
  const at = findItem(cells, item.id);
  const before = cells[at];
  if (before?.type !== "item") return [...cells, { type: "item", key: item.id, isFinished, turnId, item }];
  return cells.with(at, { ...before, isFinished, item });
}

/** A call that was asked about starts with the answer: how long you took is not its time. */
export function restartItem(
  cells: readonly Cell[],
  { item_id: id, answered_at: startedAt }: QuestionAnsweredEvent,
): readonly Cell[] {
  const at = id === null ? -1 : findItem(cells, id);
  const cell = cells[at];
  if (cell?.type !== "item" || startedAt === undefined || !("started_at" in cell.item)) return cells;
  return cells.with(at, { ...cell, item: { ...cell.item, started_at: startedAt } });
}

/** Adds live text. Text of an unknown item begins a message or reasoning; output of an unknown command is ignored. */
export function growItem(
  cells: readonly Cell[],
  { item_id: id, kind, delta }: ItemDeltaEvent,
  turnId: string | null,
): readonly Cell[] {
  const at = findItem(cells, id);
  const cell = cells[at];
  if (cell?.type !== "item") {
    if (kind === "command_output") return cells;
    return [...cells, { type: "item", key: id, isFinished: false, turnId, item: { id, type: kind, text: delta } }];
  }
  return cell.isFinished ? cells : cells.with(at, { ...cell, item: grow(cell.item, delta) });
}

function grow(item: ThreadItem, delta: string): ThreadItem {
  switch (item.type) {
    case "agent_message":
    case "reasoning":
      return { ...item, text: item.text + delta };
    case "command_execution":
      return { ...item, aggregated_output: keepTail(item.aggregated_output + delta) };
    case "file_change":
    case "mcp_tool_call":
    case "image_view":
    case "tool_call":
    case "web_search":
    case "todo_list":
    case "error":
      return item;
  }
}

/** From a line's beginning on where that is near. */
function keepTail(text: string): string {
  if (text.length <= maxTailLength) return text;
  const tail = sliceWhole(text, text.length - maxTailLength);
  const line = tail.indexOf("\n") + 1;
  const start = line > 0 && line < maxTailLength / 2 ? line : 0;
  return tail.slice(start);
}

/** The model is asked again: what it said since is void. */
export function dropLiveText(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter((cell) => cell.type !== "item" || cell.isFinished || !isText(cell.item));
}

/** After a turn, only commands that the model left running continue, and sub-agents in the background. */
export function dropLiveItems(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter((cell) => cell.type !== "item" || cell.isFinished || isOfBackground(cell.item));
}

function isOfBackground(item: ThreadItem): boolean {
  return item.type === "command_execution" || (item.type === "tool_call" && item.agent?.state === "running");
}

function isText({ type }: ThreadItem): boolean {
  return type === "agent_message" || type === "reasoning";
}

/** From the end: what changes began late. */
function findItem(cells: readonly Cell[], id: string): number {
  return cells.findLastIndex((cell) => cell.type === "item" && cell.item.id === id);
}
