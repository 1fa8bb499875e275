import { toShownText } from "@unroll/text";
import type { BlockSource } from "./block-source.ts";
import { createBlockSplitter } from "./split-blocks.ts";

/** A Markdown text that grows. The result does not depend on how the text was split into pieces. */
export interface MarkdownStream {
  /** Takes what comes behind the text so far, which is not looked at again. */
  append(more: string): void;
  /** There is no more of it. */
  end(): void;
  /** Takes out the blocks that are whole. */
  take(): readonly BlockSource[];
  /** The text after those blocks, with the unfinished line; null: none. */
  readonly open: BlockSource | null;
  /** The text so far. */
  readonly text: string;
}

export function createMarkdownStream(): MarkdownStream {
  const splitter = createBlockSplitter();
  let text = "";
  /** The line that is being written. */
  let rest = "";
  let blocks: BlockSource[] = [];

  function push(line: string): void {
    blocks.push(...splitter.push(toShownText(line)));
  }

  return {
    append(more) {
      text += more;
      const lines = (rest + more).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) push(line);
      blocks.push(...splitter.foresee(rest));
    },
    end() {
      if (rest !== "") push(rest);
      rest = "";
      blocks.push(...splitter.end());
    },
    take() {
      const taken = blocks;
      blocks = [];
      return taken;
    },
    get open() {
      return splitter.open(toShownText(rest));
    },
    get text() {
      return text;
    },
  };
}

/** All blocks of a whole text. */
export function splitMarkdown(text: string): readonly BlockSource[] {
  const stream = createMarkdownStream();
  stream.append(text);
  stream.end();
  return stream.take();
}
