import type { ShownThread } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import {
  createFrameLoop,
  createFullScreen,
  createScreen,
  type FrameLoop,
  type FullScreen,
  type Painter,
  renderPager,
  restoreModes,
  type Row,
  type Screen,
  type StyledLine,
  wrapLine,
} from "@unroll/screen";
import { createPositionAnswers, type PositionAnswers } from "./position-answers.ts";
import { renderUi } from "./render-ui.ts";
import { createSettling } from "./settle-size.ts";
import { createTerminalTitle, type TerminalTitle } from "./terminal-title.ts";
import type { UiState } from "./ui-state.ts";
import { createDialogWatch } from "./watch-dialog.ts";

export interface TerminalScreenOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly painter: Painter;
  readonly isAnimated: boolean;
  /** As of `ScreenOptions`. */
  readonly reflows: boolean;
}

/** The painted screen: the transcript, which scrolls, and the live region below it; or a pager over both. */
export interface TerminalScreen {
  /** The state that is shown. Call `loop.request` after setting it. */
  ui: UiState;
  /** The status line in so many cells; gives null while it is not known. */
  renderStatus: (columns: number) => Row | null;
  /** Null: what shows threads is not loaded yet. */
  transcript: ShownThread | null;
  /** Whether anything moves by itself. */
  isAnimated: boolean;
  readonly screen: Screen;
  readonly loop: FrameLoop;
  readonly positions: PositionAnswers;
  readonly title: TerminalTitle;
  setPainter(painter: Painter): void;
  resize(): void;
  /** A control sequence, between two frames. */
  send(sequence: string): void;
  /** Gives the terminal to somebody else, whatever state it is in. */
  leave(): void;
}

export function createTerminalScreen(options: TerminalScreenOptions, ui: UiState): TerminalScreen {
  const { terminal, clock, painter, isAnimated, reflows } = options;
  const screen = createScreen({ ...terminal.size(), painter, reflows });
  const wrapLive = createLineWrapper();
  const pages = createPages(terminal, painter);
  const positions = createPositionAnswers(clock);
  const title = createTerminalTitle();
  let reset = "";

  const loop = createFrameLoop({
    clock,
    render() {
      const bytes = title.update(own.ui) + (own.ui.pager === null ? renderSeen() : pages.frame(own.ui));
      setReset(pages.closing() + title.saved + restoreModes);
      return bytes;
    },
    write: (bytes) => terminal.output.write(bytes),
    hasMore: () => own.ui.pager === null && (screen.isDirty() || own.transcript?.hasMore === true),
  });
  terminal.output.on("drain", () => loop.drained());

  /** A program that was killed gives nothing back, so somebody else knows how. */
  function setReset(next: string): void {
    if (next !== reset) terminal.whenKilled(next);
    reset = next;
  }

  function renderSeen(): string {
    terminal.size(); // a window that has changed says so before a frame is made for the old one
    const bytes = closePages(pages, screen) + renderInline(own, wrapLive, clock.elapsed());
    prepare();
    return screen.isSettling() ? bytes : bytes + watchDialog();
  }

  const settle = createSettling({
    terminal,
    clock,
    answers: positions,
    screen,
    isCovered: () => pages.isOpen,
    onSettled: () => loop.requestNow(),
  });

  const own: TerminalScreen = {
    ui,
    renderStatus: () => null,
    isAnimated,
    transcript: null,
    screen,
    loop,
    positions,
    title,
    setPainter(next) {
      pages.setPainter(next);
      screen.setPainter(next);
      loop.request();
    },
    resize() {
      pages.resize();
      settle();
    },
    send: (sequence) => void terminal.output.write(sequence),
    leave() {
      loop.pause();
      terminal.writeNow(closePages(pages, screen) + leaveInline(own) + title.restore() + restoreModes);
      setReset("");
    },
  };
  const watchDialog = createDialogWatch(own, positions, clock);
  const prepare = createPreparing(own, clock);
  return own;
}

/** If the window changed meanwhile, its rows are unknown and it is not asked again. */
function closePages(pages: Pages, screen: Screen): string {
  if (!pages.isOpen) return "";
  if (screen.isSettling()) screen.settle(null);
  return pages.close();
}

function leaveInline({ screen, transcript }: TerminalScreen): string {
  if (transcript !== null) screen.commit(transcript.takeRest(screen.size().columns - 1));
  return screen.leave("clear");
}

/** `at`: in ms of the clock. */
function renderInline(own: TerminalScreen, wrapLive: LineWrapper, at: number): string {
  const { screen, transcript, isAnimated } = own;
  const size = screen.size();
  if (transcript !== null) screen.commit(transcript.takeLines(size.columns - 1));
  const isAsked = own.ui.dialogs.length > 0; // the dialog shows what it is about, and nothing runs before the answer
  const live =
    isAsked || transcript === null ? [] : wrapLive(transcript.renderLive(size.columns - 1), size.columns - 1);
  const status = own.renderStatus(size.columns - 1);
  screen.setLive(renderUi(own.ui, { size, at, live, status, isAnimated }));
  return screen.frame();
}

/** Breaks lines into rows of so many cells. */
type LineWrapper = (lines: readonly StyledLine[], width: number) => readonly Row[];

/** Gives the rows of the last time where it is asked for the same list. */
function createLineWrapper(): LineWrapper {
  let last: { readonly lines: readonly StyledLine[]; readonly width: number; readonly rows: readonly Row[] } | null =
    null;
  return (lines, width) => {
    if (last?.lines !== lines || last.width !== width) {
      last = { lines, width, rows: lines.flatMap((line) => wrapLine(line, width)) };
    }
    return last.rows;
  };
}

/** The full screen, on which the pager is shown; opened with its first frame. */
interface Pages {
  readonly isOpen: boolean;
  frame(ui: UiState): string;
  /** The bytes that `close` would give. */
  closing(): string;
  close(): string;
  resize(): void;
  /** For the next one that is opened. */
  setPainter(painter: Painter): void;
}

function createPages(terminal: Pick<ProcessTerminal, "size">, first: Painter): Pages {
  let full: FullScreen | null = null;
  let painter = first;
  return {
    get isOpen() {
      return full !== null;
    },
    frame({ pager, keymap }) {
      if (pager === null) return "";
      const size = { ...terminal.size(), keymap };
      const opening = full === null ? (full = createFullScreen({ ...size, painter })).open() : "";
      const { rows, cursor } = renderPager(pager, size);
      return opening + full.frame(rows, cursor);
    },
    closing: () => full?.close() ?? "",
    close() {
      const bytes = full?.close() ?? "";
      full = null;
      return bytes;
    },
    resize: () => full?.resize(terminal.size()),
    setPainter: (next) => void (painter = next),
  };
}

/** Between two pieces of it, in ms. */
const prepareMs = 4;

/** Does what a pager on the transcript needs, piece by piece between frames and keys. Called behind each frame. */
function createPreparing(own: TerminalScreen, clock: Pick<Clock, "setTimer">): () => void {
  let isPreparing = false;

  function prepare(): void {
    if (isPreparing || own.transcript?.isSourceReady !== false) return;
    isPreparing = true;
    clock.setTimer(prepareMs, () => {
      isPreparing = false;
      own.transcript?.prepareSource(own.screen.size().columns - 1);
      prepare();
    });
  }
  return prepare;
}
