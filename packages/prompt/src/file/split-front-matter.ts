/** A Markdown file taken apart at its `---` fences. */
export type FrontMatterSplit =
  /** `header` starts on line 2 of the file. */
  | { readonly type: "split"; readonly header: string; readonly body: string }
  /** The first line is not `---`. */
  | { readonly type: "no_fence" }
  /** No line `---` ends the front matter. */
  | { readonly type: "not_closed" };

/**
 * Splits a file into YAML front matter and body. A fence is a line of `---` and blanks; the second one closes, later ones
 * belong to the body. Line ends may be LF or CRLF; a byte order mark is ignored.
 */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const opening = /^\uFEFF?---[ \t]*(?:\r?\n|$)/u.exec(text);
  if (opening === null) return { type: "no_fence" };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/mu.exec(rest);
  if (closing === null) return { type: "not_closed" };
  return { type: "split", header: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}
