import type { Span } from "@unroll/screen";

/** Colours of code. `language`: the word behind a fence, or the end of a file's name. */
export interface Highlighter {
  /** Whether the word is the name of a language: any other word may be part of the answer. */
  readonly knows: (language: string) => boolean;
  /** The lines of the code as spans: as many as it has. Null: the language is not known, and the code is shown plain. */
  highlight(code: string, language: string): readonly (readonly Span[])[] | null;
}

/** Colours nothing: for lines that are only counted, or seen for a moment. */
export function withoutColors({ knows }: Highlighter): Highlighter {
  return { knows, highlight: () => null };
}
