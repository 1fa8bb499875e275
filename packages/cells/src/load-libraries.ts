import { createHighlighter } from "./code/create-highlighter.ts";
import type { Highlighter } from "./code/highlighter.ts";
import type { MarkdownLexer } from "./markdown/parse-markdown.ts";
import type { WordDiff } from "./diff/mark-words.ts";

/** What is too large to be loaded before it is needed. */
export interface Libraries {
  readonly lexer: MarkdownLexer;
  readonly highlighter: Highlighter;
  readonly diffWords: WordDiff;
}

/** Loads them; once a program, before its first turn. `onLoad`: a language was loaded, so there is more to draw. */
export async function loadLibraries(onLoad?: () => void): Promise<Libraries> {
  const [{ Marked }, { default: highlight }, { diffWordsWithSpace }] = await Promise.all([
    import("marked"),
    import("highlight.js/lib/core"),
    import("diff"),
  ]);
  return {
    lexer: new Marked({ gfm: true }),
    highlighter: createHighlighter(highlight.newInstance(), onLoad),
    diffWords: (before, after) => diffWordsWithSpace(before, after, { maxEditLength: maxWordEdits }) ?? null,
  };
}

/**
 * Words and signs that come or go between two lines, counted: a bound in milliseconds would mark less on a busy machine.
 * 300 pairs of lines of 400 signs each that have nothing in common take 0.2 s of CPU at this bound, 6 s without one.
 */
const maxWordEdits = 60;
