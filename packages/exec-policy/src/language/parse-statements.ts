import { parseExpression } from "./parse-expression.ts";
import type { Position } from "./rules-error.ts";
import { describeToken, isPunctuation, type TokenCursor } from "./token-cursor.ts";
import type { Problem, Value } from "./value.ts";

const ruleFunctions = ["prefix_rule", "network_rule", "host_executable"] as const;

export type RuleFunction = (typeof ruleFunctions)[number];

/** A call at the top of a rules file, its arguments evaluated. */
export interface RuleCall {
  readonly type: "call";
  readonly name: RuleFunction;
  readonly arguments: ReadonlyMap<string, Value>;
  readonly at: Position;
}

const statementForms = "a call of prefix_rule, network_rule or host_executable, or a constant NAME = value";

/** Reads the statements of a rules file. Constants are resolved here; what is left are the calls, in file order. */
export function parseStatements(cursor: TokenCursor): readonly RuleCall[] | Problem {
  const calls: RuleCall[] = [];
  const constants = new Map<string, Value>();
  for (;;) {
    while (cursor.peek().type === "newline") cursor.next();
    if (cursor.peek().type === "end") return calls;
    if (cursor.peek().at.column !== 1)
      return cursor.problem("an indented line", "a statement at the start of its line");
    for (;;) {
      const statement = parseStatement(cursor, constants);
      if (statement.type === "problem") return statement;
      if (statement.type === "call") calls.push(statement);
      if (!isPunctuation(cursor.peek(), ";")) break;
      cursor.next();
      if (cursor.peek().type === "newline") break;
    }
    if (cursor.peek().type !== "newline") return cursor.problem(describeToken(cursor.peek()), "the end of the line");
  }
}

function parseStatement(cursor: TokenCursor, constants: Map<string, Value>): RuleCall | Value | Problem {
  const first = cursor.peek();
  if (first.type === "problem") return first;
  // A string that stands alone is Starlark's long comment.
  if (first.type === "string") return parseExpression(cursor, constants);
  if (first.type !== "name") return cursor.problem(describeToken(first), statementForms);
  const name = ruleFunctions.find((candidate) => candidate === first.text);
  cursor.next();
  if (isPunctuation(cursor.peek(), "(") && name !== undefined) {
    return parseCall(cursor, { name, at: first.at, constants });
  }
  if (!isPunctuation(cursor.peek(), "=")) return unsupported(first.text, first.at);
  cursor.next();
  const value = parseExpression(cursor, constants);
  if (value.type === "problem") return value;
  if (constants.has(first.text)) {
    return { type: "problem", message: `found a second value for ${first.text}, expected only one`, at: first.at };
  }
  constants.set(first.text, value);
  return value;
}

function unsupported(word: string, at: Position): Problem {
  return { type: "problem", message: `found ${word}, which a rules file cannot have; expected ${statementForms}`, at };
}

interface CallStart {
  readonly name: RuleFunction;
  readonly at: Position;
  readonly constants: ReadonlyMap<string, Value>;
}

function parseCall(cursor: TokenCursor, start: CallStart): RuleCall | Problem {
  const named = new Map<string, Value>();
  cursor.next();
  while (!isPunctuation(cursor.peek(), ")")) {
    const argument = parseArgument(cursor, start.constants);
    if (argument.type === "problem") return argument;
    if (named.has(argument.name)) {
      return { type: "problem", message: `found ${argument.name} twice, expected it once`, at: argument.at };
    }
    named.set(argument.name, argument.value);
    if (isPunctuation(cursor.peek(), ",")) cursor.next();
    else if (!isPunctuation(cursor.peek(), ")")) return cursor.problem(describeToken(cursor.peek()), "a comma or )");
  }
  cursor.next();
  return { type: "call", name: start.name, arguments: named, at: start.at };
}

function parseArgument(
  cursor: TokenCursor,
  constants: ReadonlyMap<string, Value>,
): { readonly type: "argument"; readonly name: string; readonly value: Value; readonly at: Position } | Problem {
  const token = cursor.peek();
  if (token.type !== "name" || !isPunctuation(cursor.peekSecond(), "=")) {
    return cursor.problem(describeToken(token), "an argument with its name, like pattern = […]");
  }
  cursor.next();
  cursor.next();
  const value = parseExpression(cursor, constants);
  if (value.type === "problem") return value;
  return { type: "argument", name: token.text, value, at: token.at };
}
