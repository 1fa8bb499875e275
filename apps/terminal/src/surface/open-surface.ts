import type { StatusFacts, StatusSegment, Transcript } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import {
  control,
  createFrameLoop,
  createFullScreen,
  createScreen,
  type FrameLoop,
  type FullScreen,
  type Painter,
  renderPager,
  restoreModes,
  type Screen,
  showChoice,
  type StyledLine,
} from "@unroll/screen";
import { renderUi } from "../ui/render-ui.ts";
import type { UiState } from "../ui/ui-state.ts";

export interface SurfaceOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly painter: Painter;
  readonly isAnimated: boolean;
}

/** What is painted: the transcript, which scrolls, and the live region below it. */
export interface Surface {
  /** What it shows; whoever sets it asks for a frame by `request`. */
  ui: UiState;
  /** What the status line shows; gives null while that is not known. */
  readStatus: () => StatusFacts | null;
  segments: readonly StatusSegment[];
  /** Null: what shows threads is not loaded yet. */
  transcript: Transcript | null;
  /** Whether anything moves by itself. */
  readonly isAnimated: boolean;
  readonly screen: Screen;
  readonly loop: FrameLoop;
  /** Lines that are written as they are. */
  say(lines: readonly StyledLine[]): void;
  setPainter(painter: Painter): void;
  resize(): void;
  /** A control sequence, between two frames. */
  send(sequence: string): void;
  /** Gives the terminal to somebody else, whatever state it is in; `enter` takes it back. */
  leave(): void;
}

export function createSurface({ terminal, clock, painter, isAnimated }: SurfaceOptions, ui: UiState): Surface {
  const screen = createScreen({ ...terminal.size(), painter });
  let full: FullScreen | null = null;
  let look = painter;

  function renderInline(): string {
    const size = screen.size();
    const { transcript } = surface;
    if (transcript !== null) screen.commit(transcript.takeLines(size.columns - 1));
    const isAsked = surface.ui.dialogs.length > 0; // the dialogue shows what it is about, and nothing runs before the answer
    const live = isAsked ? [] : (transcript?.renderLive(size.columns - 1) ?? []);
    const { segments } = surface;
    const status = surface.readStatus();
    screen.setLive(renderUi(surface.ui, { size, at: clock.elapsed(), live, status, segments, isAnimated }));
    const bytes = screen.frame();
    markShown();
    return bytes;
  }

  /** From here on keys may answer it. */
  function markShown(): void {
    const [dialog, ...others] = surface.ui.dialogs;
    if (dialog === undefined) return;
    const shown = { ...dialog, choice: showChoice(dialog.choice, clock.elapsed()) };
    surface.ui = { ...surface.ui, dialogs: [shown, ...others] };
  }

  function renderFull(): string {
    const { pager } = surface.ui;
    if (pager === null) return "";
    const opening = full === null ? (full = createFullScreen({ ...terminal.size(), painter: look })).open() : "";
    const { rows, cursor } = renderPager(pager, terminal.size());
    return opening + full.frame(rows, cursor);
  }

  function closeFull(): string {
    if (full === null) return "";
    const bytes = full.close();
    full = null;
    return bytes;
  }

  const loop = createFrameLoop({
    clock,
    render: () => (surface.ui.pager === null ? closeFull() + renderInline() : renderFull()),
    write: (bytes) => terminal.output.write(bytes),
    hasMore: () => surface.ui.pager === null && screen.isDirty(),
  });
  terminal.output.on("drain", () => loop.drained());
  let stopWaiting = (): void => {};

  const surface: Surface = {
    ui,
    readStatus: () => null,
    isAnimated,
    segments: [],
    transcript: null,
    screen,
    loop,
    say(lines) {
      screen.commit(lines);
      loop.request();
    },
    setPainter(next) {
      look = next;
      screen.setPainter(next);
      loop.request();
    },
    resize() {
      screen.resize(terminal.size());
      full?.resize(terminal.size());
      stopWaiting();
      stopWaiting = clock.setTimer(settleMs, () => {
        if (full !== null) return loop.requestNow();
        terminal.output.write(control.askPosition);
        stopWaiting = clock.setTimer(answerMs, () => {
          screen.settle(null);
          loop.requestNow();
        });
      });
    },
    send: (sequence) => void terminal.output.write(sequence),
    leave() {
      loop.pause();
      terminal.writeNow(closeFull() + screen.leave("clear") + restoreModes);
    },
  };
  return surface;
}

/** Sizes stop coming; the terminal answers where its cursor is. In ms. */
const settleMs = 60;
const answerMs = 100;
