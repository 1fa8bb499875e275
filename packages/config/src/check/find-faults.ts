import { shortenText } from "@unroll/text";
import type { ValueSchema } from "../keys/kinds.ts";
import { type KeyPath, isTable } from "../toml/table.ts";
import { findNearestName } from "./nearest-name.ts";

/** An error in a value. */
export interface Fault {
  /** To the key. */
  readonly path: KeyPath;
  /** From there to what is wrong in its array: the number of an entry, from 0, first. Empty: it is in no array. */
  readonly inside: readonly (string | number)[];
  /**
   * To follow the key: `must be a whole number, but it is a string`. Values are not repeated, they may be credentials; only a wrong choice
   * from a fixed list is.
   */
  readonly words: string;
  readonly value: unknown;
}

/** Unknown keys and wrong values of a table, in its order. */
export interface Findings {
  readonly faults: readonly Fault[];
  readonly unknown: readonly KeyPath[];
}

/** Looks at a value, and at all that is in it. */
export function findFaults(value: unknown, schema: ValueSchema): Findings {
  const findings = { faults: [], unknown: [] };
  look({ value, path: [] }, schema, findings);
  return findings;
}

interface Found {
  readonly faults: Fault[];
  readonly unknown: KeyPath[];
}

interface Place {
  readonly value: unknown;
  readonly path: KeyPath;
}

function look({ value, path }: Place, schema: ValueSchema, found: Found): void {
  if (schema.anyOf)
    return look({ value, path }, schema.anyOf[types[schema.anyOf[1].type ?? "any"].is(value) ? 1 : 0], found);
  if (addFault({ value, path }, schema, found)) return;
  if (Array.isArray(value)) return lookAtEntries({ value, path }, schema.items ?? {}, found);
  if (!isTable(value)) return;
  const { properties = {}, required = [], additionalProperties = {}, propertyNames = {} } = schema;
  for (const name of required)
    if (!Object.hasOwn(value, name))
      addFault({ value: undefined, path: [...path, name] }, properties[name] ?? {}, found);
  for (const [name, below] of Object.entries(value)) {
    const place = { value: below, path: [...path, name] };
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    // The name may be anything: it is not repeated.
    if (describeFault(name, propertyNames) !== null)
      found.faults.push({
        path,
        inside: [],
        value: name,
        words: `has a name that cannot be ${propertyNames.errorMessage}`,
      });
    else if (own === false) found.unknown.push(place.path);
    else look(place, own ?? {}, found);
  }
}

function lookAtEntries(
  { value, path }: Place & { readonly value: readonly unknown[] },
  schema: ValueSchema,
  found: Found,
): void {
  for (const [index, each] of value.entries()) {
    const inner = findFaults(each, schema);
    found.faults.push(
      ...inner.faults.map((fault) => ({ ...fault, path, inside: [index, ...fault.path, ...fault.inside] })),
    );
    found.unknown.push(...inner.unknown.map((name) => [...path, String(index), ...name]));
  }
}

function addFault({ value, path }: Place, schema: ValueSchema, found: Found): boolean {
  const words = describeFault(value, schema);
  if (words !== null) found.faults.push({ path, inside: [], value, words });
  return words !== null;
}

/** Null: nothing is wrong with the value itself; what is in it is not looked at. */
function describeFault(value: unknown, schema: ValueSchema): string | null {
  const { type = "any", enum: words, errorMessage } = schema;
  if (words)
    return words.some((word) => word === value)
      ? null
      : `must be ${listWords(words)}, but it is ${describeChoice(value, words)}`;
  if (typeof value === "bigint" && type === "integer") return "must be below 2^53";
  if (!types[type].is(value)) return `must be ${types[type].name}, but it is ${describeType(value)}`;
  if (typeof value === "string") {
    if (value.length < (schema.minLength ?? 0)) return "must not be empty";
    const isRight =
      schema.pattern === undefined
        ? schema.format === undefined || isDay(value)
        : new RegExp(schema.pattern).test(value);
    return isRight ? null : `must be ${errorMessage}`;
  }
  if (Array.isArray(value)) return value.length < (schema.minItems ?? 0) ? "must not be empty" : null;
  if (typeof value !== "number") return null;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum: above = -Infinity } = schema;
  if (value < minimum) return `must be at least ${minimum}`;
  if (value <= above) return `must be above ${above}`;
  return value > maximum ? `must be at most ${maximum}` : null;
}

interface ValueType {
  readonly name: string;
  readonly is: (value: unknown) => boolean;
}

const types: Readonly<Record<NonNullable<ValueSchema["type"]> | "any", ValueType>> = {
  any: { name: "a value", is: () => true },
  string: { name: "a string in quotes", is: (value) => typeof value === "string" },
  number: { name: "a number", is: Number.isFinite },
  integer: { name: "a whole number", is: Number.isInteger },
  boolean: { name: "true or false", is: (value) => typeof value === "boolean" },
  array: { name: "an array", is: Array.isArray },
  object: { name: "a table", is: isTable },
};

/** A day of the calendar, as YYYY-MM-DD. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function listWords(words: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words.map((word) => `"${word}"`));
}

function describeChoice(value: unknown, choices: readonly string[]): string {
  if (typeof value !== "string") return describeType(value);
  const nearest = findNearestName(value, choices);
  const shown = JSON.stringify(shortenText(value, 40));
  return nearest === null ? shown : `${shown} (did you mean "${nearest}"?)`;
}

function describeNumber(value: number): string {
  if (Number.isInteger(value)) return "a whole number";
  return Number.isFinite(value) ? "a number with a fraction" : String(value);
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date) return "a date";
  switch (typeof value) {
    case "string":
      return "a string";
    case "number":
      return describeNumber(value);
    case "boolean":
      return String(value);
    case "bigint":
      return "a whole number of 2^53 or more";
    case "object":
    case "function":
    case "symbol":
      return "a table";
    case "undefined":
      return "missing";
  }
}
