import type { ItemDeltaEvent, ThreadEvent } from "@unroll/protocol";
import type { PagerSource, Picture, StyledLine } from "@unroll/screen";
import { shortenText } from "@unroll/text";
import { type Cell, emptyThreadView, reduceThread, renderBudget, takeFinished, type ThreadView } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import type { Entry, LinesEntry } from "../cell/entry.ts";
import { isNote, renderEntry } from "../cell/render-entry.ts";
import { splitItemParts } from "../item/render-item.ts";
import { renderCut } from "../item/render-message.ts";
import { dim } from "../item/render-reasoning.ts";
import { type LinePart, openParts } from "../line/open-parts.ts";
import { emptyLine, toSpan } from "../line/plain-line.ts";
import type { BlockSource } from "../markdown/block-source.ts";
import { renderSource } from "../markdown/render-source.ts";
import { createEntryIndex } from "./entry-index.ts";
import { type LiveText, openLiveText, type Piece } from "./live-text.ts";
import { createLiveLines } from "./render-live.ts";
import { isStreamed, type ShownThreadOptions, type ShownThreadState, type StreamedItem } from "./shown-thread-state.ts";

/** A thread as lines: finished lines, which are written once, and below them the unfinished ones. */
export interface ShownThread {
  /** The fold of the events so far, without the finished cells. */
  readonly view: ThreadView;
  /** All finished entries, in the order in which they finished. */
  readonly entries: readonly Entry[];
  /** Adds an event. Cheap: draws nothing. */
  apply(event: ThreadEvent): void;
  /** Adds lines of the program. */
  add(entry: LinesEntry): void;
  /** Adds a picture below the last finished entry. `takeLines` returns it once, as a line; no entry keeps it. */
  show(picture: Picture): void;
  /**
   * The lines that finished since the last call, each once: blocks of an answer as soon as they are whole, everything else when it ends.
   */
  takeLines(columns: number): readonly StyledLine[];
  /** Whether more lines wait: colouring code is slow, so each call takes only a little of it. */
  readonly hasMore: boolean;
  /** The remaining lines, for the end of the program or of the thread. */
  takeRest(columns: number): readonly StyledLine[];
  /** Whether nothing is left to do for `prepareSource`. */
  readonly isSourceReady: boolean;
  /** Does a little of what `openSource` needs, so that it opens at once however much there is. */
  prepareSource(columns: number): void;
  /** The whole thread unfolded, for a pager. Finished cells are drawn when they are looked at; running ones follow, as they are now. */
  openSource(columns: number): PagerSource;
  /** The running cells as they are now: any number of lines, newest last. The same list as before if nothing changed. */
  renderLive(columns: number): readonly StyledLine[];
  readonly reasoning: CellOptions["reasoning"];
  /** Shows reasoning otherwise from now on. */
  setReasoning(reasoning: CellOptions["reasoning"]): void;
}

/** Entries that are counted at a time: no key waits longer for it than for a frame. */
const countedEntries = 8;

/** Turns the events of one thread, and what the program adds, into lines. */
export function createShownThread(options: ShownThreadOptions): ShownThread {
  const entries: Entry[] = [];
  const state: ShownThreadState = {
    options,
    view: emptyThreadView,
    entries,
    index: createEntryIndex(entries),
    texts: new Map(),
    deltas: new Map(),
    written: new Set(),
    refusals: new Set(),
    pieces: [],
    isCut: false,
    lastKey: null,
    lastPlan: null,
  };
  const live = createLiveLines(state);
  return {
    get view() {
      return state.view;
    },
    entries: state.entries,
    apply: (event) => apply(state, event),
    add: (entry) => addEntry(state, entry),
    show: (picture) => showPicture(state, picture),
    takeLines: (columns) => takeLines(state, columns, coloredLines),
    get hasMore() {
      return state.isCut;
    },
    takeRest: (columns) => takeLines(state, columns, Infinity),
    get isSourceReady() {
      return state.index.isCounted;
    },
    prepareSource: (columns) => state.index.count(countedEntries, { ...state.options, columns, detail: "whole" }),
    openSource(columns) {
      const whole = { ...state.options, columns, detail: "whole" } as const;
      return joinGoing(state.index.open(whole), state, whole);
    },
    renderLive(columns) {
      growTexts(state);
      return live.render(columns);
    },
    get reasoning() {
      return state.options.reasoning;
    },
    setReasoning(reasoning) {
      state.options = { ...state.options, reasoning };
    },
  };
}

function apply(state: ShownThreadState, event: ThreadEvent): void {
  const reduced = reduceThread(state.view, event);
  if (event.type === "item.delta") {
    state.view = reduced;
    keepDelta(state, event);
    return;
  }
  if ((event.type === "item.started" || event.type === "item.updated") && event.item.type === "todo_list") {
    showPlan(state, { type: "item", key: event.item.id, isFinished: true, turnId: null, item: event.item });
  }
  const { view, finished } = takeFinished(reduced);
  state.view = view;
  if (event.type === "stream.retrying" || event.type === "turn.completed" || event.type === "turn.failed") {
    dropTexts(state, finished);
  }
  for (const cell of finished) finish(state, cell);
  if (event.type === "turn.completed" || event.type === "turn.failed") showBudget(state);
}

function keepDelta({ deltas, options }: ShownThreadState, { item_id: id, kind, delta }: ItemDeltaEvent): void {
  if (kind === "command_output" || (kind === "reasoning" && options.reasoning !== "shown")) return;
  const kept = deltas.get(id);
  if (kept === undefined) deltas.set(id, [delta]);
  else kept.push(delta);
}

/** Shows the rest of the budget below each turn. */
function showBudget(state: ShownThreadState): void {
  const { budget } = state.view;
  if (budget.length === 0) return;
  const line: StyledLine = { spans: [toSpan(renderBudget(budget), ["muted"])], wrap: "words" };
  addEntry(state, { type: "lines", lines: [line] }, "note");
}

/** A plan is shown with each change; it ends with the turn. */
function showPlan(state: ShownThreadState, cell: Cell & { readonly type: "item" }): void {
  const plan = JSON.stringify(cell.item);
  if (plan === state.lastPlan) return;
  state.lastPlan = plan;
  addEntry(state, { type: "cell", cell }, `${cell.key}_${state.entries.length}`);
}

function finish(state: ShownThreadState, cell: Cell): void {
  if (cell.type === "item" && cell.item.type === "todo_list") return showPlan(state, cell);
  const entry: Entry = { type: "cell", cell };
  if (cell.type === "item" && isStreamed(cell.item, state.options)) {
    state.entries.push(entry);
    return finishText(state, cell.item);
  }
  if (state.written.delete(cell.key)) return void state.entries.push(entry);
  addEntry(state, entry, cell.key);
}

function addEntry(state: ShownThreadState, entry: Entry, key = `entry_${state.entries.length}`): void {
  state.entries.push(entry);
  pushEntry(state, foldRefusal(entry, state.refusals), key);
}

function pushEntry(state: ShownThreadState, entry: Entry, key: string): void {
  pushPiece(state, { key: isNote(entry) ? "note" : key, lines: (options) => renderEntry(entry, options) });
}

function showPicture(state: ShownThreadState, picture: Picture): void {
  const key = state.pieces.at(-1)?.key ?? state.lastKey ?? "note";
  pushPiece(state, { key, lines: () => [{ spans: [], wrap: "words", picture }] });
}

interface WholePiece {
  readonly key: string;
  readonly lines: (options: CellOptions) => readonly StyledLine[];
}

function pushPiece(state: ShownThreadState, { key, lines }: WholePiece): void {
  const render = (columns: number): readonly StyledLine[] => lines({ ...state.options, columns, detail: "folded" });
  state.pieces.push({ key, hasGap: false, isCode: false, render });
}

/** A thought is complete once the model writes something after it. We write it above that, although its end event comes only with the answer's. */
function growTexts(state: ShownThreadState): void {
  const { cells } = state.view;
  for (const [at, cell] of cells.entries()) {
    if (cell.type !== "item" || cell.isFinished) continue;
    const isOver = at < cells.length - 1;
    const { item } = cell;
    if (item.type === "reasoning" && !isStreamed(item, state.options)) {
      if (isOver) writeThought(state, cell);
    } else if (isStreamed(item, state.options)) growStreamed(state, item, isOver);
  }
}

function writeThought(state: ShownThreadState, cell: Cell & { readonly type: "item" }): void {
  if (state.written.has(cell.key)) return;
  state.written.add(cell.key);
  pushEntry(state, { type: "cell", cell: { ...cell, isFinished: true } }, cell.key);
}

function growStreamed(state: ShownThreadState, item: StreamedItem, isOver: boolean): void {
  const text = state.texts.get(item.id) ?? openLiveText(item.id);
  state.texts.set(item.id, text);
  growText(state, text, item);
  if (isOver) text.stream.end();
  takeBlocks(state, text, item.type);
}

/** By its pieces: a text of many is made one whenever it is looked at, which costs all of it each time. */
function growText({ deltas }: ShownThreadState, { stream }: LiveText, { id, text }: StreamedItem): void {
  const added = deltas.get(id)?.join("") ?? "";
  deltas.delete(id);
  const isAll = stream.text.length + added.length === text.length;
  stream.append(isAll ? added : text.slice(stream.text.length));
}

/** The whole of it, of which the first blocks may be written. */
function finishText(state: ShownThreadState, item: StreamedItem): void {
  const live = state.texts.get(item.id);
  const isSame = live !== undefined && item.text.startsWith(live.stream.text);
  if (live?.isWritten === true && !isSame) noteBreak(state);
  const text = isSame ? live : openLiveText(item.id);
  state.texts.delete(item.id);
  state.deltas.delete(item.id);
  text.stream.append(item.text.slice(text.stream.text.length));
  text.stream.end();
  takeBlocks(state, text, item.type);
  if (item.type === "agent_message" && item.cut !== undefined) {
    const { cut } = item;
    pushPiece(state, { key: item.id, lines: () => renderCut(cut) });
  }
}

function takeBlocks(state: ShownThreadState, text: LiveText, type: StreamedItem["type"]): void {
  for (const source of text.stream.take()) {
    text.isWritten = true;
    const render: Piece["render"] = (columns, libraries = state.options.libraries) =>
      renderBlock(source, { ...state.options, libraries, columns, type });
    state.pieces.push({ key: text.itemId, hasGap: source.hasGap, isCode: source.type === "code", render });
  }
}

interface BlockOptions extends Omit<CellOptions, "detail"> {
  readonly type: StreamedItem["type"];
}

function renderBlock(source: BlockSource, { libraries, columns, type }: BlockOptions): readonly StyledLine[] {
  const lines = renderSource(source, { ...libraries, columns });
  return type === "reasoning" ? lines.map(dim) : lines;
}

/** The model is asked again, or the turn is over: what was coming does not come. */
function dropTexts(state: ShownThreadState, finished: readonly Cell[]): void {
  const kept = new Set([...state.view.cells, ...finished].map(({ key }) => key));
  for (const key of state.deltas.keys()) if (!kept.has(key)) state.deltas.delete(key);
  for (const key of state.written) if (!kept.has(key)) state.written.delete(key);
  for (const [key, text] of state.texts) {
    if (kept.has(key)) continue;
    state.texts.delete(key);
    if (text.isWritten) noteBreak(state);
  }
}

function noteBreak(state: ShownThreadState): void {
  const words = "[…] the answer above was cut off and does not count";
  pushPiece(state, { key: "note", lines: () => [{ spans: [toSpan(words, ["warning"])], wrap: "words" }] });
}

/** About how many lines of code one call colours: a key should not wait longer than a frame. */
const coloredLines = 20;

function takeLines(state: ShownThreadState, columns: number, most: number): readonly StyledLine[] {
  growTexts(state);
  const lines: StyledLine[] = [];
  let colored = 0;
  state.isCut = false;
  for (let piece = state.pieces[0]; piece !== undefined; piece = state.pieces[0]) {
    state.isCut = piece.isCode && colored >= most;
    if (state.isCut) break;
    state.pieces.shift();
    const rendered = piece.render(columns);
    if (piece.isCode) colored += rendered.length;
    if (rendered.length === 0) continue;
    const isNew = state.lastKey !== null && state.lastKey !== piece.key;
    if (isNew || (piece.hasGap && state.lastKey !== null)) lines.push(emptyLine);
    lines.push(...rendered);
    state.lastKey = piece.key;
  }
  return lines;
}

/** Joins the finished cells and, below them, the running ones, whole and as they are now. */
function joinGoing(finished: PagerSource, { view }: Pick<ShownThreadState, "view">, options: CellOptions): PagerSource {
  const parts = view.cells.flatMap((cell): readonly LinePart[] => {
    if (cell.type !== "item" || cell.isFinished || cell.item.type === "todo_list") return [];
    return [() => [emptyLine], ...splitItemParts(cell.item, { isFinished: false, now: null }, options)];
  });
  const going = openParts(finished.count === 0 ? parts.slice(1) : parts);
  return {
    count: finished.count + going.count,
    at: (index) => (index < finished.count ? finished.at(index) : going.at(index - finished.count)),
    textAt: (index) => (index < finished.count ? finished.textAt(index) : going.textAt(index - finished.count)),
  };
}

/** How much of a reason is repeated, in UTF-16 units. */
const repeatedReason = 100;

/** Shortens the reason of a refused command if it was shown before. Adds new reasons to `shown`. */
function foldRefusal(entry: Entry, shown: Set<string>): Entry {
  if (entry.type !== "cell" || entry.cell.type !== "item") return entry;
  const { item } = entry.cell;
  if (item.type !== "command_execution" || item.status !== "declined" || item.reason === undefined) return entry;
  if (!shown.has(item.reason)) {
    shown.add(item.reason);
    return entry;
  }
  const [sentence = ""] = item.reason.trim().split(/\.\s|\n|\.$/, 1);
  const reason = `${shortenText(sentence, repeatedReason)} (see above)`;
  return { ...entry, cell: { ...entry.cell, item: { ...item, reason } } };
}
