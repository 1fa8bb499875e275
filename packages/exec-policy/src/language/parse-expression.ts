import { describeToken, isPunctuation, type TokenCursor } from "./token-cursor.ts";
import { describeValue, type Problem, type Value } from "./value.ts";
import type { Position } from "./rules-error.ts";

/** How deep lists may be nested; a rule needs two. Also what keeps a hostile file from exhausting the stack. */
const maximumDepth = 20;

type Constants = ReadonlyMap<string, Value>;

/** `term + term …`: strings, integers, None, True, False, lists, tuples and constants defined above. */
export function parseExpression(cursor: TokenCursor, constants: Constants, depth = 0): Value | Problem {
  let sum = parseTerm(cursor, constants, depth);
  while (sum.type !== "problem" && isPunctuation(cursor.peek(), "+")) {
    cursor.next();
    const term = parseTerm(cursor, constants, depth);
    sum = term.type === "problem" ? term : add(sum, term);
  }
  return sum;
}

function add(left: Value, right: Value): Value | Problem {
  if (left.type === "string" && right.type === "string") return { ...left, value: left.value + right.value };
  if (left.type === "list" && right.type === "list") return { ...left, items: [...left.items, ...right.items] };
  if (left.type === "integer" && right.type === "integer") return { ...left, value: left.value + right.value };
  const found = `${describeValue(left)} + ${describeValue(right)}`;
  return { type: "problem", message: `found ${found}, expected two strings or two lists around +`, at: right.at };
}

function parseTerm(cursor: TokenCursor, constants: Constants, depth: number): Value | Problem {
  if (depth > maximumDepth) return cursor.problem("too many brackets inside each other", "a flat list");
  const token = cursor.peek();
  switch (token.type) {
    case "string":
      return parseString(cursor, token.at, token.value);
    case "integer":
      cursor.next();
      return token;
    case "name":
      return parseName(cursor, constants, token.text);
    case "punctuation":
      return parsePunctuation(cursor, constants, depth);
    case "newline":
    case "end":
    case "problem":
      return cursor.problem(describeToken(token), "a value");
  }
}

function parseString(cursor: TokenCursor, at: Position, value: string): Value | Problem {
  cursor.next();
  if (cursor.peek().type === "string") return cursor.problem("two strings side by side", "+ or a comma between them");
  return { type: "string", value, at };
}

function parseName(cursor: TokenCursor, constants: Constants, name: string): Value | Problem {
  const { at } = cursor.peek();
  const constant = constantOf(name, at) ?? constants.get(name);
  if (constant === undefined) {
    return cursor.problem(name, "a string, a list, or a constant that is defined above this line");
  }
  cursor.next();
  const after = cursor.peek();
  if (isPunctuation(after, "(") || isPunctuation(after, ".") || isPunctuation(after, "[")) {
    return cursor.problem(describeToken(after), "a plain value: calls, attributes and indexes are not supported");
  }
  return { ...constant, at };
}

function constantOf(name: string, at: Position): Value | null {
  if (name === "None") return { type: "none", at };
  if (name === "True" || name === "False") return { type: "boolean", value: name === "True", at };
  return null;
}

function parsePunctuation(cursor: TokenCursor, constants: Constants, depth: number): Value | Problem {
  const open = cursor.peek();
  if (isPunctuation(open, "[")) return parseItems(cursor, { close: "]", constants, depth });
  if (isPunctuation(open, "(")) return parseItems(cursor, { close: ")", constants, depth });
  if (isPunctuation(open, "-")) {
    cursor.next();
    const digits = cursor.next();
    if (digits.type === "integer") return { ...digits, value: -digits.value, at: open.at };
    return { type: "problem", message: `found - before ${describeToken(digits)}, expected an integer`, at: open.at };
  }
  return cursor.problem(describeToken(open), "a value");
}

interface ItemsContext {
  readonly close: "]" | ")";
  readonly constants: Constants;
  readonly depth: number;
}

/** A list, a tuple, or an expression in parentheses; without a comma, that is not a tuple. */
function parseItems(cursor: TokenCursor, context: ItemsContext): Value | Problem {
  const { at } = cursor.next();
  const items: Value[] = [];
  let commas = 0;
  while (!isPunctuation(cursor.peek(), context.close)) {
    const item = parseExpression(cursor, context.constants, context.depth + 1);
    if (item.type === "problem") return item;
    items.push(item);
    if (isPunctuation(cursor.peek(), ",")) {
      cursor.next();
      commas += 1;
    } else if (!isPunctuation(cursor.peek(), context.close)) {
      return cursor.problem(describeToken(cursor.peek()), `a comma or ${context.close}`);
    }
  }
  cursor.next();
  const [only] = items;
  return context.close === ")" && commas === 0 && only !== undefined ? only : { type: "list", items, at };
}
