import type { Highlighter } from "./code/highlighter.ts";
import type { MarkdownLexer } from "./markdown/parse-markdown.ts";
import type { WordDiff } from "./diff/mark-words.ts";

/** Libraries that are too large to load before they are needed. */
export interface Libraries {
  readonly lexer: MarkdownLexer;
  readonly highlighter: Highlighter;
  readonly diffWords: WordDiff;
}

/** Loads them; once a program, before its first turn. */
export async function loadLibraries(): Promise<Libraries> {
  const [{ Marked }, { createHighlighter }, { diffWordsWithSpace }] = await Promise.all([
    import("marked"),
    import("./code/create-highlighter.ts"),
    import("diff"),
  ]);
  return {
    lexer: new Marked({ gfm: true }),
    highlighter: createHighlighter(),
    diffWords: (before, after) => diffWordsWithSpace(before, after, { maxEditLength: maxWordEdits }) ?? null,
  };
}

/**
 * Words and signs that come or go between two lines, counted: a bound in milliseconds would mark less on a busy machine.
 * 300 pairs of lines of 400 signs each that have nothing in common take 0.2 s of CPU at this bound, 6 s without one.
 */
const maxWordEdits = 60;
