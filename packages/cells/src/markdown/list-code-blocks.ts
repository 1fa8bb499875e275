import type { CodeSource } from "./block-source.ts";
import { splitMarkdown } from "./markdown-stream.ts";

/** A block of code in a message. */
export interface CodeBlock {
  /** The text after the opening fence; often empty. */
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks at the left edge of a text, in order: what a person copies. */
export function listCodeBlocks(text: string): readonly CodeBlock[] {
  const blocks: { readonly info: string; readonly parts: CodeSource[] }[] = [];
  for (const source of splitMarkdown(text)) {
    if (source.type !== "code") continue;
    if (source.isFirst) blocks.push({ info: source.info, parts: [source] });
    else blocks.at(-1)?.parts.push(source);
  }
  return blocks.map(({ info, parts }) => ({ info, text: parts.flatMap(({ lines }) => lines).join("\n") }));
}
