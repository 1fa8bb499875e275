import type { Libraries } from "@unroll/cells";
import type { ThreadEvent } from "@unroll/protocol";
import {
  endPager,
  growPager,
  type Keymap,
  openPager,
  type PagerSource,
  showFirstKey,
  type StyledLine,
  toRowText,
} from "@unroll/screen";
import { toMessageText } from "../command/read-command.ts";
import type { FollowedText } from "../command/terminal-command.ts";
import type { DrivenThread, Driver, FinishedText } from "../driver.ts";
import { toLines } from "../text/to-lines.ts";
import { readInputText } from "../text/read-input-text.ts";
import { change, type InlineParts } from "./inline-parts.ts";
import type { UiState } from "./ui-state.ts";

type InlineText = Pick<
  Driver,
  "load" | "beginThread" | "apply" | "add" | "echo" | "showReasoning" | "chooseTheme" | "page" | "follow" | "pageThread"
>;

/** The half of the inline driver that shows text: finished text in the scrollback, more on pages over it. */
export function createInlineText(parts: InlineParts): InlineText {
  const { screen, palette, clock } = parts;
  let loaded: { readonly cells: typeof import("@unroll/cells"); readonly libraries: Libraries } | null = null;
  let hasWritten = false;

  /** Written as they are, while there is no thread. */
  function write(lines: readonly StyledLine[]): void {
    hasWritten = true;
    screen.screen.commit(lines);
    screen.loop.request();
  }

  function add(entry: FinishedText): void {
    const { transcript } = screen;
    if (transcript !== null) transcript.add(entry);
    else write(entry.lines);
    screen.loop.request();
  }

  return {
    async load() {
      const cells = await import("@unroll/cells");
      const libraries = await cells.loadLibraries();
      loaded = { cells, libraries };
      return libraries;
    },
    beginThread({ cwd, hidesReasoning }: DrivenThread) {
      if (loaded === null) throw new Error("The thread view is not loaded yet.");
      const { cells, libraries } = loaded;
      const before = screen.transcript?.takeRest(toColumns(parts)) ?? [];
      if (screen.transcript !== null || hasWritten) write([...before, ...toLines("")]);
      const reasoning = screen.transcript?.reasoning ?? (hidesReasoning ? "hidden" : "folded");
      change(parts, (ui) => ({ ...ui, expected: [] }));
      screen.transcript = cells.createShownThread({
        libraries,
        cwd,
        reasoning,
        more: describeMore(screen.ui.keymap),
        clock,
      });
    },
    apply(event: ThreadEvent) {
      if (event.type === "input.received") change(parts, (ui) => forget(ui, readInputText(event.input)));
      screen.transcript?.apply(event);
      screen.loop.request();
    },
    add,
    echo: (text) => add({ type: "lines", lines: toLines(`› ${text}`, ["muted"]) }),
    showReasoning: (view) => screen.transcript?.setReasoning(view),
    chooseTheme(theme) {
      palette.choose(theme);
      screen.setPainter(palette.painter);
    },
    page: (title, lines) => openPage(parts, title, toSource(lines)),
    follow: (text) => follow(parts, text),
    pageThread() {
      openPage(parts, "Transcript", screen.transcript?.openSource(toColumns(parts)) ?? toSource([]));
      showEnd(parts);
      return true;
    },
  };
}

/** A message is with the model. */
function forget(ui: UiState, text: string): UiState {
  const at = ui.expected.findIndex((each) => toMessageText(each.text) === text);
  return at < 0 ? ui : { ...ui, expected: ui.expected.toSpliced(at, 1) };
}

function describeMore(keymap: Keymap): string {
  return `${showFirstKey(keymap, "global.open_transcript") ?? "/transcript"} shows all`;
}

function toColumns({ screen }: InlineParts): number {
  return screen.screen.size().columns - 1;
}

function openPage(parts: InlineParts, title: string, source: PagerSource): void {
  change(parts, (ui) => ({ ...ui, pager: openPager(title, source) }));
}

/** As one who looks back does. */
function showEnd(parts: InlineParts): void {
  const size = parts.screen.screen.size();
  change(parts, (ui) => (ui.pager === null ? ui : { ...ui, pager: endPager(ui.pager, size) }));
}

const nothing: StyledLine = { spans: [], wrap: "words" };

/** Lines that are all there already, for a pager. */
function toSource(lines: readonly StyledLine[]): PagerSource {
  const at = (index: number): StyledLine => lines[index] ?? nothing;
  return { count: lines.length, at, textAt: (index) => toRowText(at(index).spans) };
}

/** Between two looks at it, in ms. */
const lookMs = 200;

/** Opens a page on a text that grows, at its end, and keeps it there until the page is closed. */
function follow(parts: InlineParts, { title, read }: FollowedText): void {
  const { screen, clock } = parts;
  let text = read();
  let source = toSource(toLines(text));
  openPage(parts, title, source);
  showEnd(parts);

  function look(): void {
    const { pager } = screen.ui;
    if (pager?.source !== source) return;
    const next = read();
    if (next !== text) {
      [text, source] = [next, toSource(toLines(next))];
      change(parts, (ui) => ({ ...ui, pager: growPager(pager, source, screen.screen.size()) }));
    }
    clock.setTimer(lookMs, look);
  }
  clock.setTimer(lookMs, look);
}
