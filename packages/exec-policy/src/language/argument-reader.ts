import type { Decision } from "./decision.ts";
import type { RuleCall } from "./parse-statements.ts";
import type { Position, RulesError } from "./rules-error.ts";
import { describeValue, type Value } from "./value.ts";

/** Takes the arguments of one call; what is wrong with them is collected, and null given in its place. */
export interface ArgumentReader {
  readonly errors: readonly RulesError[];
  fail(message: string, at: Position): null;
  /** Null and an error where the argument is missing. */
  required(name: string): Value | null;
  /** Null where the argument is missing or None. */
  optional(name: string): Value | null;
  string(value: Value | null, what: string): string | null;
  strings(value: Value | null, what: string): readonly string[] | null;
  /** One of the keys of `choices`, as the value it stands for. */
  choice<T>(value: Value | null, what: string, choices: ReadonlyMap<string, T>): T | null;
}

export function createArgumentReader(file: string, call: RuleCall): ArgumentReader {
  const errors: RulesError[] = [];
  const reader: ArgumentReader = {
    errors,
    fail(message, at) {
      errors.push({ file, ...at, message: `${call.name}: ${message}` });
      return null;
    },
    required: (name) => call.arguments.get(name) ?? reader.fail(`expected the argument ${name}`, call.at),
    optional(name) {
      const value = call.arguments.get(name) ?? null;
      return value?.type === "none" ? null : value;
    },
    string(value, what) {
      if (value === null) return null;
      if (value.type === "string" && value.value.trim() !== "") return value.value;
      return reader.fail(`found ${describeValue(value)} as ${what}, expected a string with text in it`, value.at);
    },
    strings(value, what) {
      if (value === null) return null;
      if (value.type !== "list") {
        return reader.fail(`found ${describeValue(value)} as ${what}, expected a list of strings`, value.at);
      }
      const texts = value.items.map((item) => reader.string(item, `an entry of ${what}`));
      const known = texts.filter((text) => text !== null);
      return known.length === texts.length ? known : null;
    },
    choice(value, what, choices) {
      const text = reader.string(value, what);
      if (value === null || text === null) return null;
      const chosen = choices.get(text);
      if (chosen !== undefined) return chosen;
      const expected = [...choices.keys()].map((key) => JSON.stringify(key)).join(", ");
      return reader.fail(`found ${describeValue(value)} as ${what}, expected one of ${expected}`, value.at);
    },
  };
  return reader;
}

export const decisions: ReadonlyMap<string, Decision> = new Map<string, Decision>([
  ["allow", "allow"],
  ["prompt", "prompt"],
  ["forbidden", "forbidden"],
]);
