import type { StyledLine } from "@unroll/screen";
import { withoutColors } from "../code/highlighter.ts";
import { renderCode } from "../code/render-code.ts";
import type { LinePart } from "../line/open-parts.ts";
import { emptyLine } from "../line/plain-line.ts";
import type { BlockSource } from "./block-source.ts";
import { closeOpenMarks } from "./close-open-marks.ts";
import { keepsText } from "./keeps-text.ts";
import { splitMarkdown } from "./markdown-stream.ts";
import { type MarkdownLexer, parseMarkdown } from "./parse-markdown.ts";
import { type MarkdownOptions, renderBlocks, renderLiteral } from "./render-markdown.ts";

export interface SourceOptions extends MarkdownOptions {
  readonly lexer: MarkdownLexer;
}

/** A block as it stays. Where a word of it would be lost, as it was written. */
export function renderSource(source: BlockSource, { lexer, ...options }: SourceOptions): readonly StyledLine[] {
  if (source.type === "code") return renderCode(source, options.highlighter);
  const text = source.lines.join("\n");
  if (isPlainProse(text)) return renderLiteral(text);
  const lines = renderBlocks(parseMarkdown(text, lexer), options);
  return keepsText(text, lines) ? lines : renderLiteral(text);
}

/** More lines of an open block than a live region shows: only the last ones are worth being drawn again and again. */
const openLines = 12;

/** A block that is still being written: its end, where it is long. */
export function renderOpenSource(source: BlockSource, { lexer, ...options }: SourceOptions): readonly StyledLine[] {
  if (source.type === "code") return renderCode(source, options.highlighter);
  const text = takeEnd(source.lines).join("\n").trimEnd();
  if (isPlainProse(text)) return renderLiteral(text);
  return renderBlocks(parseMarkdown(closeOpenMarks(text), lexer), options);
}

/** A table stays one: with its head. */
function takeEnd(lines: readonly string[]): readonly string[] {
  if (lines.length <= openLines) return lines;
  const isTable = /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(lines[1] ?? "");
  return [...(isTable ? lines.slice(0, 2) : []), ...lines.slice(-openLines)];
}

/** A whole text. */
export function renderMarkdown(text: string, options: SourceOptions): readonly StyledLine[] {
  return splitMarkdownParts(text, options).flatMap((draw) => draw("colored"));
}

/** A whole text, block by block, each with the empty line in front of it. */
export function splitMarkdownParts(text: string, options: SourceOptions): readonly LinePart[] {
  const plain = { ...options, highlighter: withoutColors(options.highlighter) };
  return splitMarkdown(text).map((source, at): LinePart => (colors) => {
    const lines = renderSource(source, colors === "plain" ? plain : options);
    return source.hasGap && at > 0 ? [emptyLine, ...lines] : lines;
  });
}

/**
 * Whether Markdown makes nothing of the text: lines that begin with a letter, with no character that could mark anything. Such a
 * paragraph is shown as it is; reading it with each word that comes would cost more than all else that is done for it.
 */
export function isPlainProse(text: string): boolean {
  return beginsWithLetter.test(text) && !mark.test(text);
}

const beginsWithLetter = /^\p{L}/u;
/** Marks within a line, the beginnings of links, blanks at an end (a hard break), and lines that begin with anything else. */
const mark = /[*_~`[\]<>&\\@|]|:\/\/|www\.|\s$|[ \t]\n|\n(?!\p{L})/iu;
