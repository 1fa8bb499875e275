import type { Token } from "./tokenize.ts";
import type { Problem } from "./value.ts";

/** Walks the tokens of a file; past the last one it stays there. */
export interface TokenCursor {
  peek(): Token;
  peekSecond(): Token;
  next(): Token;
  /** A problem at the token that `peek` gives; that token itself where it is one. */
  problem(found: string, expected: string): Problem;
}

export function createTokenCursor(tokens: readonly Token[]): TokenCursor {
  let index = 0;
  const last: Token = tokens.at(-1) ?? { type: "end", at: { line: 1, column: 1 } };
  const peek = (): Token => tokens[index] ?? last;
  return {
    peek,
    peekSecond: () => tokens[index + 1] ?? last,
    next() {
      const token = peek();
      index += 1;
      return token;
    },
    problem(found, expected) {
      const token = peek();
      if (token.type === "problem") return token;
      return { type: "problem", message: `found ${found}, expected ${expected}`, at: token.at };
    },
  };
}

export function isPunctuation(token: Token, text: string): boolean {
  return token.type === "punctuation" && token.text === text;
}

export function describeToken(token: Token): string {
  switch (token.type) {
    case "name":
      return token.text;
    case "string":
      return "a string";
    case "integer":
      return `the integer ${token.value}`;
    case "punctuation":
      return token.text;
    case "newline":
      return "the end of the line";
    case "end":
      return "the end of the file";
    case "problem":
      return token.message;
  }
}
