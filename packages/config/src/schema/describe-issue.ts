import { shortenText } from "@unroll/text";
import type * as z from "zod";
import { isTable, type Table } from "../toml/table.ts";
import { valueAt } from "../toml/table-path.ts";
import { findNearestName } from "./nearest-name.ts";

export type ConfigIssue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: "a string in quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "a table",
  record: "a table",
};

/**
 * What is wrong with a value, to follow the key: `must be a whole number, but it is a string`. Values are not repeated,
 * they may be credentials; only a wrong choice from a fixed list is.
 */
export function describeIssue(issue: ConfigIssue, value: unknown): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- zod adds codes; each brings its own words
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}, but it is ${describeType(value)}`;
    case "invalid_value":
      return `must be ${listChoices(issue.values.map(String))}, but it is ${describeChoice(value, issue.values.map(String))}`;
    case "too_small":
      return issue.origin === "string"
        ? "must not be empty"
        : `must be ${issue.inclusive ? "at least" : "above"} ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_key":
      return "has a name that cannot be the name of an HTTP header";
    default:
      return `must be ${issue.message}`;
  }
}

/** A value that may be a word or a table is judged as the one that it is. */
export function unfoldIssue(issue: ConfigIssue, table: Table): readonly ConfigIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const [words = [], tables = []] = issue.errors;
  const chosen = isTable(valueAt(table, issue.path)) ? tables : words;
  return chosen.map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

function listChoices(choices: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(choices.map((choice) => `"${choice}"`));
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
      return "not there";
  }
}
