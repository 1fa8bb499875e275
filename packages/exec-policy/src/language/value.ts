import type { Position } from "./rules-error.ts";

/** A value of the Starlark subset, with the place where it was written. A tuple is a list here. */
export type Value =
  | { readonly type: "string"; readonly value: string; readonly at: Position }
  | { readonly type: "integer"; readonly value: number; readonly at: Position }
  | { readonly type: "boolean"; readonly value: boolean; readonly at: Position }
  | { readonly type: "none"; readonly at: Position }
  | { readonly type: "list"; readonly items: readonly Value[]; readonly at: Position };

/** A file that is not of the subset; parsing ends at the first one. */
export interface Problem {
  readonly type: "problem";
  readonly message: string;
  readonly at: Position;
}

export function describeValue(value: Value): string {
  switch (value.type) {
    case "string":
      return `the string ${JSON.stringify(value.value)}`;
    case "integer":
      return `the integer ${value.value}`;
    case "boolean":
      return value.value ? "True" : "False";
    case "none":
      return "None";
    case "list":
      return value.items.length === 0 ? "an empty list" : "a list";
  }
}
