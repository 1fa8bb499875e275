import { Marked } from "marked";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import type { MarkdownBlock } from "./markdown/markdown-tree.ts";

/** Markdown as a tree of what is shown of it: for programs that draw it otherwise than as lines of a terminal. */
export function readMarkdown(text: string): readonly MarkdownBlock[] {
  return parseMarkdown(text, new Marked({ gfm: true }));
}

export type { Inline, ListItem, MarkdownBlock, TableBlock, TableCell } from "./markdown/markdown-tree.ts";
