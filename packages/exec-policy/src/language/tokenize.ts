import { decodeStringLiteral } from "./decode-string-literal.ts";
import type { Position } from "./rules-error.ts";
import type { Problem } from "./value.ts";

/** A token of the Starlark subset. Blanks, comments and newlines inside brackets leave none. */
export type Token =
  | { readonly type: "name"; readonly text: string; readonly at: Position }
  | { readonly type: "string"; readonly value: string; readonly at: Position }
  | { readonly type: "integer"; readonly value: number; readonly at: Position }
  | { readonly type: "punctuation"; readonly text: string; readonly at: Position }
  | { readonly type: "newline"; readonly at: Position }
  | { readonly type: "end"; readonly at: Position }
  | Problem;

const lineBreak = /\r\n|\n|\r/g;
const skipped = /(?:[ \t\f]|#[^\r\n]*|\\(?:\r\n|\n|\r))*/y;
const newline = /\r\n|\n|\r/y;
const stringLiteral =
  /([A-Za-z]{0,2})(?:("""|''')((?:\\[\s\S]|(?!\2)[^\\])*)\2|("|')((?:\\(?:\r\n|[\s\S])|(?!\4)[^\\\r\n])*)\4)/y;
const openString = /[A-Za-z]{0,2}(?:"""|'''|"|')/y;
const name = /[A-Za-z_]\w*/y;
const integer = /(?:0[xX][\dA-Fa-f]+|0[oO][0-7]+|0|[1-9]\d*)(?![\w.])/y;
const punctuation = /\*\*|[()[\]{},=+\-;:.*]/y;

/** Cuts the text of a rules file into tokens. The last is `end`, or the problem after which nothing can be read. */
export function tokenize(text: string): readonly Token[] {
  const source = text.replace(/^\uFEFF/, "");
  const locate = createLocator(source);
  const tokens: Token[] = [];
  let depth = 0;
  let offset = 0;
  for (;;) {
    offset += lexemeAt(skipped, source, offset)?.length ?? 0;
    const at = locate(offset);
    if (offset >= source.length) return [...tokens, { type: "newline", at }, { type: "end", at }];
    const { token, length } = readToken(source, offset, at);
    if (token.type === "punctuation") depth += bracketStep(token.text);
    if (token.type !== "newline" || depth <= 0) tokens.push(token);
    if (token.type === "problem") return tokens;
    offset += length;
  }
}

/** For offsets that only grow. */
function createLocator(source: string): (offset: number) => Position {
  const starts = [0, ...Array.from(source.matchAll(lineBreak), (match) => match.index + match[0].length)];
  let line = 1;
  return (offset) => {
    while ((starts[line] ?? Number.POSITIVE_INFINITY) <= offset) line += 1;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

function lexemeAt(pattern: RegExp, source: string, offset: number): string | null {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0] ?? null;
}

function bracketStep(text: string): number {
  if (text === "(" || text === "[" || text === "{") return 1;
  return text === ")" || text === "]" || text === "}" ? -1 : 0;
}

function readToken(source: string, offset: number, at: Position): { readonly token: Token; readonly length: number } {
  const breakText = lexemeAt(newline, source, offset);
  if (breakText !== null) return { token: { type: "newline", at }, length: breakText.length };
  stringLiteral.lastIndex = offset;
  const literal = stringLiteral.exec(source);
  if (literal !== null) return { token: toStringToken(literal, at), length: literal[0].length };
  if (lexemeAt(openString, source, offset) !== null) {
    return unreadable(at, "found a string that is never closed, expected its closing quote");
  }
  const word = lexemeAt(name, source, offset);
  if (word !== null) return { token: { type: "name", text: word, at }, length: word.length };
  const digits = lexemeAt(integer, source, offset);
  if (digits !== null) return { token: { type: "integer", value: Number(digits), at }, length: digits.length };
  const mark = lexemeAt(punctuation, source, offset);
  if (mark !== null) return { token: { type: "punctuation", text: mark, at }, length: mark.length };
  const found = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  return unreadable(at, `found ${JSON.stringify(found)}, expected a rule, a constant, or a comment`);
}

function unreadable(at: Position, message: string): { readonly token: Problem; readonly length: number } {
  return { token: { type: "problem", message, at }, length: 0 };
}

function toStringToken(literal: RegExpExecArray, at: Position): Token {
  const [, prefix = "", , tripleBody, , singleBody] = literal;
  if (prefix !== "" && prefix !== "r") {
    return { type: "problem", message: `found a ${prefix}"…" string, expected a plain or an r"…" string`, at };
  }
  const body = tripleBody ?? singleBody ?? "";
  const decoded = prefix === "r" ? { value: body } : decodeStringLiteral(body);
  if ("message" in decoded) return { type: "problem", message: decoded.message, at };
  return { type: "string", value: decoded.value, at };
}
