import type { DoubleQuotedChild, Word, WordPart } from "unbash";
import { type ShellWord, toStaticWord } from "../command/shell-word.ts";

/** The contribution of one part of a word. */
interface Piece {
  /** Its value where that is known before the command runs, else null. */
  readonly known: string | null;
  /** How its value is known to start; all of it where it is known. */
  readonly start: string;
  /** The rest of it if every expansion is empty. */
  readonly withoutExpansions: string;
  /** Whether the shell may make several words out of it. */
  readonly splits: boolean;
}

/** Only escapes that every version of Bash decodes alike. */
const plainAnsiCString = /^\$'(?:[^\\']|\\[\\'"nrt])*'$/;
const tilde = /^~|[=:]~/;

/** Reads a word of `unbash`. The trap: a tilde that the shell expands is a plain literal there. */
export function toShellWord(word: Word): ShellWord {
  const parts = word.parts ?? [{ type: "Literal", value: word.value, text: word.text, pos: word.pos, end: word.end }];
  const pieces = parts.map((part, index) => toPiece(part, index === 0));
  const firstUnknown = pieces.findIndex((piece) => piece.known === null);
  if (firstUnknown === -1) return toStaticWord(word.value);
  const head = pieces
    .slice(0, firstUnknown + 1)
    .map((piece) => piece.start)
    .join("");
  const withoutExpansions = pieces.map((piece) => piece.withoutExpansions).join("");
  const startsPath = word.text.startsWith("~") || parts[0]?.type === "ProcessSubstitution";
  const isOperand = !pieces.some((piece) => piece.splits) && (startsPath || /^[^-]/.test(head));
  return { kind: isOperand ? "operand" : "dynamic", text: word.text, head, withoutExpansions };
}

function toPiece(part: WordPart, isFirst: boolean): Piece {
  switch (part.type) {
    case "Literal":
      if (tilde.test(part.text) && (isFirst || !part.text.startsWith("~"))) return unknown(part.value, "one");
      return known(part.value);
    case "SingleQuoted":
      return known(part.value);
    case "AnsiCQuoted":
      return plainAnsiCString.test(part.text) ? known(part.value) : unknown("", "one");
    case "DoubleQuoted":
      return toQuotedPiece(part.parts, isFirst);
    case "Glob":
    case "ExtendedGlob":
      return unknown(part.text, "one");
    case "BraceExpansion":
      return unknown(part.text, /^[\w{},./-]*$/.test(part.text) ? "one" : "many");
    case "ProcessSubstitution":
      return unknown("", "one");
    case "LocaleString":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return unknown(isFirst ? homeOrWorkingFolder(part.text) : "", "many");
  }
}

function toQuotedPiece(children: readonly DoubleQuotedChild[], isFirst: boolean): Piece {
  const texts = children.map((child, index) => {
    if (child.type === "Literal") return child.value;
    return isFirst && index === 0 ? homeOrWorkingFolder(child.text) : "";
  });
  if (children.every((child) => child.type === "Literal")) return known(texts.join(""));
  const end = children.findIndex((child) => child.type !== "Literal");
  const start = texts.slice(0, end).join("");
  return { ...unknown(texts.join(""), children.some(isWordList) ? "many" : "one"), start };
}

/** `"$@"` and `"${list[@]}"` are many words, quoted or not. */
function isWordList(child: DoubleQuotedChild): boolean {
  return child.type !== "Literal" && child.text.includes("@");
}

/** A home or working folder in front of a path stays visible: which folder it is matters most. */
function homeOrWorkingFolder(expansion: string): string {
  if (expansion === "$HOME" || expansion === "${HOME}") return "~";
  return expansion === "$PWD" || expansion === "${PWD}" ? "." : "";
}

function known(value: string): Piece {
  return { known: value, start: value, withoutExpansions: value, splits: false };
}

function unknown(withoutExpansions: string, count: "one" | "many"): Piece {
  return { known: null, start: "", withoutExpansions, splits: count === "many" };
}
