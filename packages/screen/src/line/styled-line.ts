import type { Picture } from "../picture/picture.ts";

/**
 * The role of a piece of text. The theme gives each role its colours, for the terminal's number of colours.
 * `added` and `removed` are a diff's lines, their `…-word` the changed words in them; `code-…` are parts of highlighted code.
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

/** A piece of a line. `text` holds no control characters and no line break; the code that creates a span escapes them first. */
export interface Span {
  readonly text: string;
  /** Several are laid over each other in this order. */
  readonly roles?: readonly Role[];
  /** Where it leads (an absolute URL): a link of the terminal (OSC 8) where it can. */
  readonly link?: string;
}

/**
 * One logical line of any length. `words` wraps prose between words, at the width it was written with; `verbatim` (code, output,
 * diffs) is given to the terminal whole, so the terminal rewraps it at another width and copies it as one line.
 */
export interface StyledLine {
  readonly spans: readonly Span[];
  readonly wrap: "words" | "verbatim";
  /** The start of each row after the first when words are wrapped: the hanging indent of a list or a quote. */
  readonly hanging?: readonly Span[];
  /** Shown instead of the spans, once the line is finished and if the terminal can; otherwise the line is left out. */
  readonly picture?: Picture;
}
