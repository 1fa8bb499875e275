import type { ProcessTerminal } from "@unroll/program";
import { createFullScreen, type FullScreen, type Pager, type Painter, renderPager } from "@unroll/screen";

/** The full screen, on which the pager is shown; opened with its first frame. */
export interface PageSurface {
  readonly isOpen: boolean;
  frame(pager: Pager): string;
  /** "" where it is not open. */
  close(): string;
  resize(): void;
  /** For the next one that is opened. */
  setPainter(painter: Painter): void;
}

export function createPageSurface(terminal: Pick<ProcessTerminal, "size">, first: Painter): PageSurface {
  let full: FullScreen | null = null;
  let painter = first;
  return {
    get isOpen() {
      return full !== null;
    },
    frame(pager) {
      const size = terminal.size();
      const opening = full === null ? (full = createFullScreen({ ...size, painter })).open() : "";
      const { rows, cursor } = renderPager(pager, size);
      return opening + full.frame(rows, cursor);
    },
    close() {
      const bytes = full?.close() ?? "";
      full = null;
      return bytes;
    },
    resize: () => full?.resize(terminal.size()),
    setPainter: (next) => void (painter = next),
  };
}
