import { toShownText } from "@unroll/text";
import type { BlockSource } from "./block-source.ts";
import { createBlockSplitter } from "./split-blocks.ts";

/** A Markdown text that grows. What it gives does not depend on the pieces in which it came. */
export interface MarkdownStream {
  /** The text so far is `text`, which begins with what it was before. */
  grow(text: string): void;
  /** There is no more of it. */
  end(): void;
  /** Takes out the blocks that are whole. */
  take(): readonly BlockSource[];
  /** What is behind them, with the line that is being written; null: nothing. */
  readonly open: BlockSource | null;
  /** The language of the fenced block that is open; null: none is. */
  readonly openInfo: string | null;
  /** The text so far. */
  readonly text: string;
}

export function createMarkdownStream(): MarkdownStream {
  const splitter = createBlockSplitter();
  let text = "";
  /** Up to where its lines went into the splitter. */
  let read = 0;
  let blocks: BlockSource[] = [];

  function push(line: string): void {
    blocks.push(...splitter.push(toShownText(line)));
  }

  return {
    grow(next) {
      text = next;
      for (let end = text.indexOf("\n", read); end >= 0; end = text.indexOf("\n", read)) {
        push(text.slice(read, end));
        read = end + 1;
      }
      blocks.push(...splitter.foresee(text.slice(read)));
    },
    end() {
      if (read < text.length) push(text.slice(read));
      read = text.length;
      blocks.push(...splitter.end());
    },
    take() {
      const taken = blocks;
      blocks = [];
      return taken;
    },
    get open() {
      return splitter.open(toShownText(text.slice(read)));
    },
    get openInfo() {
      return splitter.openInfo;
    },
    get text() {
      return text;
    },
  };
}

/** All blocks of a whole text. */
export function splitMarkdown(text: string): readonly BlockSource[] {
  const stream = createMarkdownStream();
  stream.grow(text);
  stream.end();
  return stream.take();
}
