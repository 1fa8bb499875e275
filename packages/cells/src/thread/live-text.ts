import type { StyledLine } from "@unroll/screen";
import type { BlockSource } from "../markdown/block-source.ts";
import type { Libraries } from "../load-libraries.ts";
import { createMarkdownStream, type MarkdownStream } from "../markdown/markdown-stream.ts";

/** Whose blocks are written as soon as they are whole: an answer that is still coming. */
export interface LiveText {
  readonly itemId: string;
  readonly stream: MarkdownStream;
  /** Whether some of it was written already. */
  isWritten: boolean;
}

export function openLiveText(itemId: string): LiveText {
  return { itemId, stream: createMarkdownStream(), isWritten: false };
}

/** What is to be written, when it can be: nothing behind it is written before. */
export interface Piece {
  /** The cell that it is of: an empty line stands between cells. */
  readonly key: string;
  readonly hasGap: boolean;
  /** Its language; null: it needs none. */
  readonly language: string | null;
  /** `libraries`: absent, those of the thread. */
  readonly render: (columns: number, libraries?: Libraries) => readonly StyledLine[];
}

export function languageOf(source: BlockSource): string | null {
  if (source.type === "prose") return null;
  const [language = ""] = source.info.split(/[\s,{]/, 1);
  return language === "" ? null : language;
}
