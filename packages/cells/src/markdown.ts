import { Marked } from "marked";
import { parseMarkdown } from "./markdown/parse-markdown.ts";
import type { MarkdownBlock } from "./markdown/markdown-tree.ts";

/** Parses Markdown into a tree of its visible parts, for programs that do not draw it as terminal lines. */
export function readMarkdown(text: string): readonly MarkdownBlock[] {
  return parseMarkdown(text, new Marked({ gfm: true }));
}

export type { Inline, ListItem, MarkdownBlock, TableBlock, TableCell } from "./markdown/markdown-tree.ts";
