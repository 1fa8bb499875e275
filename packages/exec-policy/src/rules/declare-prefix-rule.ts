import { split } from "shlex";
import { describeThrown } from "@unroll/text";
import { type ArgumentReader, decisions } from "../language/argument-reader.ts";
import type { RuleLocation } from "../language/rule-location.ts";
import type { PrefixRule } from "./rule-set.ts";
import type { Position } from "../language/rules-error.ts";
import { describeValue, type Value } from "../language/value.ts";

/** A command of `match` or `not_match`: what its rule is tested with. */
export interface RuleExample {
  readonly words: readonly string[];
  readonly at: Position;
}

/** A prefix rule with the examples that it must pass. */
export interface PrefixRuleDeclaration {
  readonly rule: PrefixRule;
  readonly match: readonly RuleExample[];
  readonly notMatch: readonly RuleExample[];
}

/** Null where an argument is wrong; the reader holds why. */
export function declarePrefixRule(reader: ArgumentReader, location: RuleLocation): PrefixRuleDeclaration | null {
  const pattern = readPattern(reader, reader.required("pattern"));
  const decision = reader.choice(reader.optional("decision"), "decision", decisions) ?? "allow";
  const env = readEnv(reader, decision);
  const justification = reader.string(reader.optional("justification"), "justification");
  const match = readExamples(reader, "match");
  const notMatch = readExamples(reader, "not_match");
  if (pattern === null || env === null) return null;
  return { rule: { pattern, decision, env, justification, location }, match, notMatch };
}

function readEnv(reader: ArgumentReader, decision: PrefixRule["decision"]): readonly string[] | null {
  const value = reader.optional("env");
  const names = reader.strings(value, "env");
  if (value === null || names === null) return value === null ? [] : null;
  if (decision !== "allow") return reader.fail('found env, expected it only where the decision is "allow"', value.at);
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong === undefined) return names;
  return reader.fail(`found ${JSON.stringify(wrong)} in env, expected the whole name of a variable`, value.at);
}

function readPattern(reader: ArgumentReader, value: Value | null): PrefixRule["pattern"] | null {
  if (value === null) return null;
  if (value.type !== "list" || value.items.length === 0) {
    return reader.fail(`found ${describeValue(value)} as pattern, expected a list with at least one word`, value.at);
  }
  const words = value.items.map((item) => readAlternatives(reader, item));
  const known = words.filter((word) => word !== null);
  return known.length === words.length ? known : null;
}

function readAlternatives(reader: ArgumentReader, item: Value): readonly string[] | null {
  if (item.type === "list" && item.items.length === 0) {
    return reader.fail("found an empty list in pattern, expected at least one alternative", item.at);
  }
  if (item.type === "list") return reader.strings(item, "alternatives");
  const word = reader.string(item, "a word of pattern");
  return word === null ? null : [word];
}

function readExamples(reader: ArgumentReader, name: "match" | "not_match"): readonly RuleExample[] {
  const value = reader.optional(name);
  if (value === null) return [];
  if (value.type !== "list") {
    reader.fail(`found ${describeValue(value)} as ${name}, expected a list of commands`, value.at);
    return [];
  }
  return value.items.flatMap((item) => {
    const words =
      item.type === "list" ? reader.strings(item, `a command of ${name}`) : splitExample(reader, item, name);
    return words === null ? [] : [{ words, at: item.at }];
  });
}

function splitExample(reader: ArgumentReader, item: Value, name: string): readonly string[] | null {
  const text = reader.string(item, `a command of ${name}`);
  if (text === null) return null;
  try {
    return split(text);
  } catch (error) {
    const reason = describeThrown(error);
    return reader.fail(`found ${describeValue(item)}, expected a command with closed quotes (${reason})`, item.at);
  }
}
