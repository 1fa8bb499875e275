import type { ItemDeltaEvent, ThreadItem } from "@unroll/protocol";
import { sliceWhole } from "@unroll/text";
import type { Cell, ItemCell } from "./cell.ts";

/** Of a running command's output, in UTF-16 units: what is kept to be shown live. The whole comes with its end. */
const maxTailLength = 8192;

/** The item as it is now, in its old place or behind all others. */
export function putItem(cells: readonly Cell[], item: ThreadItem, state: "live" | "finished"): readonly Cell[] {
  const at = findItem(cells, item.id);
  const cell: ItemCell = { type: "item", key: item.id, isFinished: state === "finished", item };
  return at < 0 ? [...cells, cell] : cells.with(at, cell);
}

/** Live text. What belongs to no item that is shown begins a message or reasoning; output of an unknown command is left. */
export function growItem(cells: readonly Cell[], { item_id: id, kind, delta }: ItemDeltaEvent): readonly Cell[] {
  const cell = cells[findItem(cells, id)];
  if (cell?.type !== "item") {
    return kind === "command_output" ? cells : putItem(cells, { id, type: kind, text: delta }, "live");
  }
  return cell.isFinished ? cells : putItem(cells, grow(cell.item, delta), "live");
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

/** Nothing but a command that the model left running goes on behind a turn. */
export function dropLiveItems(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter((cell) => cell.type !== "item" || cell.isFinished || cell.item.type === "command_execution");
}

function isText({ type }: ThreadItem): boolean {
  return type === "agent_message" || type === "reasoning";
}

/** From the end: what changes began late. */
function findItem(cells: readonly Cell[], id: string): number {
  return cells.findLastIndex((cell) => cell.type === "item" && cell.item.id === id);
}
