import { hasOpenBracket } from "./has-open-bracket.ts";

/** A piece of an awk program. `value`: text, number or regular expression. `mark`: one or two characters of punctuation. */
export interface AwkToken {
  readonly type: "value" | "name" | "mark";
  readonly text: string;
}

const token =
  /[ \t\r]+|(?<value>"(?:[^"\\\n]|\\[^\n])*"|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<mark>\|\||&&|\+\+|--|[\s\S])/y;
const regularExpression = /\/(?:[^/\\\n]|\\[^\n])*\//y;
const statementWords = /^(?:print|printf|in|return|exit|else|do)$/;

/**
 * The pieces of an awk program; null where implementations may cut it in other places. A slash divides behind a value and
 * opens a regular expression elsewhere; behind `)` it may do either where the program has conditions.
 */
export function readAwkTokens(program: string): readonly AwkToken[] | null {
  const tokens: AwkToken[] = [];
  const hasConditions = /\b(?:if|while|for)\b/.test(program);
  for (let position = 0; position < program.length;) {
    const slash = program[position] === "/" ? readSlash(tokens.at(-1), hasConditions) : "none";
    if (slash === "unclear") return null;
    const pattern = slash === "opens" ? regularExpression : token;
    pattern.lastIndex = position;
    const found = pattern.exec(program);
    if (found === null) return null;
    position += found[0].length;
    if (slash === "opens") {
      if (hasOpenBracket(found[0])) return null;
      tokens.push({ type: "value", text: found[0] });
    } else if (found.groups?.["value"] !== undefined) tokens.push({ type: "value", text: found[0] });
    else if (found.groups?.["name"] !== undefined) tokens.push({ type: "name", text: found[0] });
    else if (found.groups?.["mark"] !== undefined) {
      // A text that does not end on its line.
      if (found[0] === '"') return null;
      tokens.push({ type: "mark", text: found[0] });
    }
  }
  return tokens;
}

function readSlash(before: AwkToken | undefined, hasConditions: boolean): "divides" | "opens" | "unclear" {
  if (before === undefined) return "opens";
  if (before.type === "value") return "divides";
  if (before.type === "name") {
    if (statementWords.test(before.text)) return "opens";
    return before.text === "length" || before.text === "getline" ? "unclear" : "divides";
  }
  if (before.text === "++" || before.text === "--" || before.text === "$") return "unclear";
  if (before.text === ")") return hasConditions ? "unclear" : "divides";
  return before.text === "]" ? "divides" : "opens";
}
