import { stringify } from "smol-toml";
import { isTable, type Table, type KeyPath } from "./table.ts";

/** A value as TOML on one line, tables as `{ … }`. The value must come out of TOML. */
export function writeTomlValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(writeTomlValue).join(", ")} ]`;
  if (!isTable(value)) return stringify({ value }).replace(/^value = |\n$/g, "");
  const entries = Object.entries(value).map(([key, each]) => `${writeTomlKey([key])} = ${writeTomlValue(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Parts in quotes where TOML wants them. */
export function writeTomlKey(path: KeyPath): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : writeTomlValue(part))).join(".");
}

/** A table with its header, and its tables behind it. Lines end in `\n`. */
export function writeTomlTable(path: KeyPath, table: Table): string {
  const entries = Object.entries(table);
  const lines = entries.filter(([, value]) => !isTable(value)).map(([key, value]) => writeTomlLine([key], value));
  const blocks = entries.flatMap(([key, value]) => (isTable(value) ? [writeTomlTable([...path, key], value)] : []));
  const own = lines.length > 0 || blocks.length === 0 ? [`[${writeTomlKey(path)}]\n${lines.join("")}`] : [];
  return [...own, ...blocks].join("\n");
}

/** With its line end. */
export function writeTomlLine(key: KeyPath, value: unknown): string {
  return `${writeTomlKey(key)} = ${writeTomlValue(value)}\n`;
}
