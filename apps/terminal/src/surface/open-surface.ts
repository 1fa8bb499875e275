import type { ShownThread } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import {
  createFrameLoop,
  createScreen,
  type FrameLoop,
  type Painter,
  restoreModes,
  type Row,
  type Screen,
  type StyledLine,
} from "@unroll/screen";
import { renderUi } from "../ui/render-ui.ts";
import type { UiState } from "../ui/ui-state.ts";
import { createLineWrapper, type LineWrapper } from "./create-line-wrapper.ts";
import { createPageSurface, type PageSurface } from "./page-surface.ts";
import { createPositionAnswers, type PositionAnswers } from "./position-answers.ts";
import { createPreparing } from "./prepare-source.ts";
import { createSettling } from "./settle-size.ts";
import { createDialogWatch } from "./watch-dialog.ts";

export interface SurfaceOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly painter: Painter;
  readonly isAnimated: boolean;
  /** As of `ScreenOptions`. */
  readonly reflows: boolean;
}

/** What is painted: the transcript, which scrolls, and the live region below it. */
export interface Surface {
  /** What it shows; whoever sets it asks for a frame by `request`. */
  ui: UiState;
  /** The status line in so many cells; gives null while it is not known. */
  renderStatus: (columns: number) => Row | null;
  /** Null: what shows threads is not loaded yet. */
  transcript: ShownThread | null;
  /** What the requests of the thread that is shown cost, in US dollars; null: of some it is not known. */
  costUsd: number | null;
  /** Whether something was said while there was no transcript. */
  hasSaid: boolean;
  /** Whether anything moves by itself. */
  isAnimated: boolean;
  readonly screen: Screen;
  readonly loop: FrameLoop;
  readonly positions: PositionAnswers;
  /** Lines that are written as they are. */
  say(lines: readonly StyledLine[]): void;
  setPainter(painter: Painter): void;
  resize(): void;
  /** A control sequence, between two frames. */
  send(sequence: string): void;
  /** Gives the terminal to somebody else, whatever state it is in; `enter` takes it back. */
  leave(): void;
}

export function createSurface({ terminal, clock, painter, isAnimated, reflows }: SurfaceOptions, ui: UiState): Surface {
  const screen = createScreen({ ...terminal.size(), painter, reflows });
  const wrapLive = createLineWrapper();
  const page = createPageSurface(terminal, painter);
  const positions = createPositionAnswers(clock);

  const loop = createFrameLoop({
    clock,
    render: () => (surface.ui.pager === null ? renderSeen() : page.frame(surface.ui.pager)),
    write: (bytes) => terminal.output.write(bytes),
    hasMore: () => surface.ui.pager === null && (screen.isDirty() || surface.transcript?.hasMore === true),
  });
  terminal.output.on("drain", () => loop.drained());

  function renderSeen(): string {
    const bytes = uncover() + renderInline(surface, wrapLive, clock.elapsed());
    prepare();
    return screen.isSettling() ? bytes : bytes + watchDialog();
  }

  const uncover = (): string => closePage(page, screen);

  const settle = createSettling({
    terminal,
    clock,
    answers: positions,
    screen,
    isCovered: () => page.isOpen,
    onSettled: () => loop.requestNow(),
  });

  const surface: Surface = {
    ui,
    renderStatus: () => null,
    isAnimated,
    transcript: null,
    costUsd: 0,
    hasSaid: false,
    screen,
    loop,
    positions,
    say(lines) {
      surface.hasSaid = true;
      screen.commit(lines);
      loop.request();
    },
    setPainter(next) {
      page.setPainter(next);
      screen.setPainter(next);
      loop.request();
    },
    resize() {
      page.resize();
      settle();
    },
    send: (sequence) => void terminal.output.write(sequence),
    leave() {
      loop.pause();
      terminal.writeNow(uncover() + leaveInline(surface) + restoreModes);
    },
  };
  const watchDialog = createDialogWatch(surface, positions, clock);
  const prepare = createPreparing(surface, clock);
  return surface;
}

/** A window that changed meanwhile is not asked any more: nobody knows what became of the rows. */
function closePage(page: PageSurface, screen: Screen): string {
  if (!page.isOpen) return "";
  if (screen.isSettling()) screen.settle(null);
  return page.close();
}

function leaveInline({ screen, transcript }: Surface): string {
  if (transcript !== null) screen.commit(transcript.takeRest(screen.size().columns - 1));
  return screen.leave("clear");
}

/** `at`: in ms of the clock. */
function renderInline(surface: Surface, wrapLive: LineWrapper, at: number): string {
  const { screen, transcript, isAnimated } = surface;
  const size = screen.size();
  if (transcript !== null) screen.commit(transcript.takeLines(size.columns - 1));
  const isAsked = surface.ui.dialogs.length > 0; // the dialogue shows what it is about, and nothing runs before the answer
  const live =
    isAsked || transcript === null ? [] : wrapLive(transcript.renderLive(size.columns - 1), size.columns - 1);
  const status = surface.renderStatus(size.columns - 1);
  screen.setLive(renderUi(surface.ui, { size, at, live, status, isAnimated }));
  return screen.frame();
}
