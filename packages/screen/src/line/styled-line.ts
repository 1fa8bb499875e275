import type { Picture } from "../picture/picture.ts";

/**
 * What a piece of text is, not how it looks: the theme gives each role its colours, for as many of them as the terminal has.
 * `added` and `removed` are a diff's lines, their `…-word` what within them changed; `code-…` are parts of highlighted code.
 */
export type Role =
  | "muted"
  | "strong"
  | "emphasis"
  | "struck"
  | "heading"
  | "link"
  | "code"
  | "quote"
  | "accent"
  | "success"
  | "warning"
  | "error"
  | "person"
  | "added"
  | "removed"
  | "added-word"
  | "removed-word"
  | "selected"
  | "code-keyword"
  | "code-string"
  | "code-number"
  | "code-comment"
  | "code-name"
  | "code-type";

/** A piece of a line. `text` holds no control characters and no line break; whoever builds it makes them visible first. */
export interface Span {
  readonly text: string;
  /** Several are laid over each other in this order. */
  readonly roles?: readonly Role[];
  /** Where it leads (an absolute URL): a link of the terminal (OSC 8) where it can. */
  readonly link?: string;
}

/**
 * One line as it was meant, of any length. `words` breaks prose between words, at the width it was written with; `verbatim` (code,
 * output, diffs) is given to the terminal whole, so that it wraps it anew at another width and copies it as one line.
 */
export interface StyledLine {
  readonly spans: readonly Span[];
  readonly wrap: "words" | "verbatim";
  /** What rows behind the first begin with, where words are wrapped: the hanging indent of a list or a quote. */
  readonly hanging?: readonly Span[];
  /** Shown in place of the spans, where the line is finished and the terminal can; elsewhere it is no line at all. */
  readonly picture?: Picture;
}
