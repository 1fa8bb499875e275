import type { AgentMessageThreadItem, ThreadEvent, ThreadItem } from "@unroll/protocol";
import { foldText, toShownText } from "@unroll/text";
import type { Cell, NoticeEvent } from "../thread/cell.ts";
import { reduceThread } from "../thread/reduce-thread.ts";
import { takeFinished } from "../thread/take-finished.ts";
import { emptyThreadView, type ThreadView } from "../thread/thread-view.ts";
import { renderBudget } from "../usage/render-budget.ts";
import { renderItem, renderItemStart } from "./render-item.ts";
import { renderNotice } from "./render-notice.ts";
import type { RenderOptions } from "./text-style.ts";
import { renderAnswer, renderQuestion } from "./render-question.ts";
import { renderRetry } from "./render-retry.ts";

/** Options for what a printer shows of a thread, and where. */
export interface TextPrinterOptions extends RenderOptions {
  /**
   * The final message of a turn: `verbatim`, as the model wrote it, or `plain`, for a terminal, comes apart from the
   * progress and alone; `progress`: like all other messages, as it comes.
   */
  readonly finalMessage: "verbatim" | "plain" | "progress";
  /** `elsewhere`: a dialogue shows them. */
  readonly questions: "shown" | "elsewhere";
  /** The start of the line that reports a failed turn. Absent: `error:`. */
  readonly failureMark?: string;
  /** How many cells a row has that notices are folded to; null: they are not. Absent: the same. */
  readonly columns?: () => number | null;
}

/** Text to write now, with its line breaks. */
interface TextPiece {
  readonly to: "progress" | "answer";
  readonly text: string;
}

export interface TextPrinter {
  /** The text that an event adds to the output so far. */
  print(event: ThreadEvent): readonly TextPiece[];
}

/**
 * A thread as lines that are written once, from the first event to the last; holds no more than what is going on. A message
 * is held until it is known whether it is the final one.
 */
export function createTextPrinter(options: TextPrinterOptions): TextPrinter {
  const state: PrinterState = { options, view: emptyThreadView, held: null, lastCommand: null };
  return {
    print(event) {
      const { view, finished } = takeFinished(reduceThread(state.view, event));
      state.view = view;
      const lines = [...begin(state, event), ...finished.flatMap((cell) => finish(state, cell))];
      const progress = lines
        .filter((line) => line !== null)
        .map((line) => ({ to: "progress", text: `${line}\n` }) as const);
      return event.type === "turn.completed" ? [...progress, ...takeAnswer(state)] : progress;
    },
  };
}

interface PrinterState {
  readonly options: TextPrinterOptions;
  view: ThreadView;
  held: AgentMessageThreadItem | null;
  /** The command whose line was printed last: of several side by side, the others are named again with their output. */
  lastCommand: string | null;
}

/** Null: nothing is shown. */
type Lines = readonly (string | null)[];

/** The text of an event apart from the cells that it finishes. */
function begin(state: PrinterState, event: ThreadEvent): Lines {
  const { options } = state;
  if (event.type === "item.started") return [...releaseHeld(state), start(state, event.item)];
  if (event.type === "item.updated") {
    return isLater(event.item) ? [] : [...releaseHeld(state), renderItem(event.item, options)];
  }
  if (event.type === "stream.retrying") return [options.style("yellow", renderRetry(event))];
  if (event.type !== "question.asked" || options.questions === "elsewhere") return [];
  return [...releaseHeld(state), renderQuestion(event, options.style)];
}

/** A command that is left running shows its output when it ends, and a sub-agent its state: when it begins, and when it ends. */
function isLater(item: ThreadItem): boolean {
  if (item.type === "tool_call" && item.agent !== undefined)
    return item.output !== null || item.agent.tokens > 0 || item.agent.last_action !== null;
  return item.type === "command_execution";
}

function finish(state: PrinterState, cell: Cell): Lines {
  const { options } = state;
  switch (cell.type) {
    case "item":
      return finishItem(state, cell.item);
    case "input": // who said it knows
      return [];
    case "question":
      return options.questions === "elsewhere" ? [] : [renderAnswer(cell, options.style)];
    case "notice":
      return [
        ...(cell.event.type === "turn.failed" ? releaseHeld(state) : []),
        ...renderNoticeLines(state, cell.event),
      ];
  }
}

/** With the end of a turn: what is left of its budget. */
function renderNoticeLines({ options, view }: PrinterState, event: NoticeEvent): Lines {
  const isEnd = event.type === "turn.completed" || event.type === "turn.failed";
  const budget = isEnd && view.budget.length > 0 ? options.style("dim", renderBudget(view.budget)) : null;
  const notice = event.type === "turn.failed" ? renderFailure(event, options) : renderNotice(event, options);
  return [notice, budget].map((line) => line && fold(line, options));
}

function renderFailure(
  { error }: Extract<NoticeEvent, { readonly type: "turn.failed" }>,
  { style, failureMark = "error:" }: TextPrinterOptions,
): string {
  return `${style("red", failureMark)} ${toShownText(error.message)}`;
}

function fold(text: string, { columns = () => null }: TextPrinterOptions): string {
  return foldText(text, columns() ?? Infinity);
}

function finishItem(state: PrinterState, item: ThreadItem): Lines {
  if (item.type === "todo_list") return []; // shown with each change; it ends with the turn
  const before = releaseHeld(state);
  if (item.type === "agent_message" && state.options.finalMessage !== "progress") {
    state.held = item;
    return before;
  }
  const isNamed = item.type !== "command_execution" || item.id === state.lastCommand;
  return [...before, ...(isNamed ? [] : [start(state, item)]), renderItem(item, state.options)];
}

function start(state: PrinterState, item: ThreadItem): string | null {
  if (item.type === "command_execution") state.lastCommand = item.id;
  return renderItemStart(item, state.options);
}

function releaseHeld(state: PrinterState): Lines {
  const message = state.held;
  state.held = null;
  return message === null ? [] : [renderItem(message, state.options)];
}

function takeAnswer(state: PrinterState): readonly TextPiece[] {
  const message = state.held;
  state.held = null;
  if (message === null) return [];
  const text = state.options.finalMessage === "plain" ? toShownText(message.text) : message.text;
  return [{ to: "answer", text: `${text}\n` }];
}
