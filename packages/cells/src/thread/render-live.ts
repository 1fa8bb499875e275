import type { StyledLine } from "@unroll/screen";
import { type Cell, renderRetry, type ThreadView } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { withoutColors } from "../code/highlighter.ts";
import { renderLeftCommand } from "../item/render-command.ts";
import { measureItem, renderItem } from "../item/render-item.ts";
import { dim } from "../item/render-reasoning.ts";
import { emptyLine, toSpan } from "../line/plain-line.ts";
import { renderMarkdown, renderOpenSource } from "../markdown/render-source.ts";
import { isStreamed, type ShownThreadState } from "./shown-thread-state.ts";

/** The number of waiting pieces that are shown live: more than fit on any screen. */
const livePieces = 64;

/** The unfinished cells in the order in which they began; below them the retry, if there is one. */
function renderLive(state: ShownThreadState, options: CellOptions): readonly StyledLine[] {
  const { pieces, view } = state;
  const highlighter = withoutColors(options.libraries.highlighter); // colours come when they are written
  const libraries = { ...options.libraries, highlighter };
  const parts = [
    ...pieces
      .slice(-livePieces)
      .map(({ key, hasGap, render }) => ({ key, hasGap, lines: render(options.columns, libraries) })),
    ...view.cells.map((cell) => ({ key: cell.key, ...renderCell(state, cell, options) })),
    ...(view.retry === null ? [] : [{ key: "retry", hasGap: false, lines: [toRetryLine(renderRetry(view.retry))] }]),
  ];
  const lines: StyledLine[] = [];
  let lastKey = state.lastKey;
  for (const part of parts.filter((each) => each.lines.length > 0)) {
    if (lastKey !== null && (lastKey !== part.key || part.hasGap)) lines.push(emptyLine);
    lines.push(...part.lines);
    lastKey = part.key;
  }
  return lines;
}

interface LivePart {
  readonly hasGap: boolean;
  readonly lines: readonly StyledLine[];
}

/** Lines of reasoning that are shown while it comes. */
const reasoningLines = 3;

function renderCell(state: ShownThreadState, cell: Cell, options: CellOptions): LivePart {
  const nothing: LivePart = { hasGap: false, lines: [] };
  if (cell.type !== "item") return nothing; // a dialogue shows the question
  const { item, key } = cell;
  const sourceOptions = { ...options.libraries, columns: options.columns };
  if (state.written.has(key)) return nothing;
  if (item.type === "reasoning" && options.reasoning !== "shown") {
    const lines = options.reasoning === "hidden" ? [] : renderMarkdown(takeLastLines(item.text), sourceOptions);
    return { hasGap: false, lines: lines.slice(-reasoningLines).map(dim) };
  }
  if (isStreamed(item, options)) {
    const open = state.texts.get(key)?.stream.open ?? null;
    if (open === null) return nothing;
    const lines = renderOpenSource(open, sourceOptions);
    return { hasGap: open.hasGap, lines: item.type === "reasoning" ? lines.map(dim) : lines };
  }
  if (item.type === "todo_list") {
    const current = item.items.findIndex(({ completed }) => !completed);
    const words = `Plan: step ${current + 1} of ${item.items.length}`;
    return current < 0 ? nothing : { hasGap: false, lines: [{ spans: [toSpan(words, ["muted"])], wrap: "words" }] };
  }
  const now = state.options.clock.now();
  // a turn's command outlives the turn only if the model left it running
  const isLeft = item.type === "command_execution" && cell.turnId !== null && state.view.turn.type !== "running";
  const lines = isLeft
    ? renderLeftCommand(item, measureItem(item, now))
    : renderItem(item, { isFinished: false, now }, options);
  return { hasGap: false, lines };
}

function toRetryLine(text: string): StyledLine {
  return { spans: [toSpan(text.replaceAll("\n", " "), ["warning"])], wrap: "words" };
}

/** As many as can be needed: of what comes, the whole would be read again with each frame. */
function takeLastLines(text: string): string {
  return text
    .split("\n")
    .slice(-4 * reasoningLines)
    .join("\n");
}

/** The unfinished part of a thread as lines. */
interface LiveLines {
  /** Returns the same list as before if nothing in it changed, so that a key that you type costs little. */
  render(columns: number): readonly StyledLine[];
}

export function createLiveLines(state: ShownThreadState): LiveLines {
  let last: { readonly of: readonly unknown[]; readonly lines: readonly StyledLine[] } | null = null;
  return {
    render(columns) {
      const { options, view, pieces, lastKey } = state;
      const of = [columns, options, view, lastKey];
      const isKept = pieces.length === 0 && isTimeless(view);
      if (isKept && last?.of.every((each, at) => each === of[at]) === true) return last.lines;
      const lines = renderLive(state, { ...options, columns, detail: "folded" });
      last = isKept ? { of, lines } : null;
      return lines;
    },
  };
}

/** Whether no line of it shows a running time. */
function isTimeless({ cells, retry }: ThreadView): boolean {
  const isText = (type: string): boolean => type === "agent_message" || type === "reasoning";
  return retry === null && cells.every((cell) => cell.type === "item" && isText(cell.item.type));
}
