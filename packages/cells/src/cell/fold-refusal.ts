import type { Entry } from "./entry.ts";

/** The entry as it is written where `told` holds why commands were refused: each reason is told whole once. Adds it to `told`. */
export function foldRefusal(entry: Entry, told: Set<string>): Entry {
  if (entry.type !== "cell" || entry.cell.type !== "item") return entry;
  const { item } = entry.cell;
  if (item.type !== "command_execution" || item.status !== "declined" || item.reason === undefined) return entry;
  if (!told.has(item.reason)) {
    told.add(item.reason);
    return entry;
  }
  return { ...entry, cell: { ...entry.cell, item: { ...item, reason: "for the same reason as before" } } };
}
