import type { StyledLine } from "@unroll/screen";
import type { Libraries } from "../load-libraries.ts";
import { createMarkdownStream, type MarkdownStream } from "../markdown/markdown-stream.ts";

/** An answer that is still arriving. Each of its blocks is written as soon as it is complete. */
export interface LiveText {
  readonly itemId: string;
  readonly stream: MarkdownStream;
  /** Whether some of it was written already. */
  isWritten: boolean;
}

export function openLiveText(itemId: string): LiveText {
  return { itemId, stream: createMarkdownStream(), isWritten: false };
}

/** Lines that wait to be written, in their order. */
export interface Piece {
  /** The cell that it is of: an empty line stands between cells. */
  readonly key: string;
  readonly hasGap: boolean;
  /** Whether it is code, which takes long to be coloured. */
  readonly isCode: boolean;
  /** `libraries`: absent, those of the thread. */
  readonly render: (columns: number, libraries?: Libraries) => readonly StyledLine[];
}
