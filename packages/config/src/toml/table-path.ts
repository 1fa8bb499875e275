import { isTable, type Table } from "./table.ts";
import type { KeyPath } from "./key-path.ts";

/** The table that holds nothing but the value at that path. */
export function nestValue([key = "", ...rest]: KeyPath, value: unknown): Table {
  return { [key]: rest.length === 0 ? value : nestValue(rest, value) };
}

/** The table without the value at that path; the same one where there is none. */
export function withoutValue(table: Table, [key = "", ...rest]: KeyPath): Table {
  const { [key]: value, ...others } = table;
  if (rest.length === 0) return others;
  return isTable(value) ? { ...table, [key]: withoutValue(value, rest) } : table;
}

/** Whether the first path is the second, or below it. */
export function isWithin(path: KeyPath, parent: KeyPath): boolean {
  return parent.every((key, index) => path[index] === key);
}
