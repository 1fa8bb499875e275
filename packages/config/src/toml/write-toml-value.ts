import { isDeepStrictEqual } from "node:util";
import { stringify as writeByIarna } from "@iarna/toml";
import { parse, stringify as writeBySmol } from "smol-toml";
import { isTable, type Table } from "./table.ts";
import type { KeyPath } from "./key-path.ts";

/**
 * A value as TOML, tables as `{ … }`. `@iarna/toml` writes it; where it says something else when it is read again (1e-7, two
 * control characters in a text), `smol-toml` does. The value must come out of TOML.
 */
export function writeTomlValue(value: unknown): string {
  if (typeof value === "boolean") return String(value);
  const written = tryToWrite(value);
  if (written !== null && isSame(tryToRead(written), value)) return written;
  if (Array.isArray(value)) return `[ ${value.map(writeTomlValue).join(", ")} ]`;
  if (!isTable(value)) return writeBySmol({ value }).replace(/^value = |\n$/g, "");
  const entries = Object.entries(value).map(([key, each]) => `${writeTomlKey([key])} = ${writeTomlValue(each)}`);
  return `{ ${entries.join(", ")} }`;
}

/** Tables that were made in different ways are the same table. */
function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || isDeepStrictEqual(structuredClone(a), structuredClone(b));
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

type Writable = Parameters<typeof writeByIarna.value>[0];

function tryToWrite(value: unknown): string | null {
  try {
    return writeByIarna.value(toWritable(value));
  } catch {
    return null;
  }
}

/** Throws for what it cannot write: a whole number of 2^53 or more. */
function toWritable(value: unknown): Writable {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(toWritable);
  if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWritable(each)]));
  throw new TypeError("not a value of TOML");
}

function tryToRead(text: string): unknown {
  try {
    return parse(`value = ${text}`, { integersAsBigInt: "asNeeded" })["value"];
  } catch {
    return undefined;
  }
}
