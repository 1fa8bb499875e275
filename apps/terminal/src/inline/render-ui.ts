import {
  type ChoiceRoom,
  type LivePart,
  renderChoice,
  type Keymap,
  renderComposer,
  type Row,
  type ScreenSize,
  showFirstKey,
  truncateRow,
  wrapLine,
} from "@unroll/screen";
import { pluralize, toShownText } from "@unroll/text";
import { toComposerContext } from "./press-composer.ts";
import type { OpenDialog, UiState } from "./ui-state.ts";

export interface UiFacts {
  readonly size: ScreenSize;
  /** In ms of the clock. */
  readonly at: number;
  /** Running items of the thread, broken to the width. */
  readonly live: readonly Row[];
  /** The status line; null: not known yet. */
  readonly status: Row | null;
  readonly isAnimated: boolean;
}

/** The live region, from top to bottom. */
export function renderUi(state: UiState, facts: UiFacts): readonly LivePart[] {
  const { columns } = facts.size;
  const [dialog] = state.dialogs;
  const open = dialog === undefined ? renderWriting(state, facts) : renderDialog(dialog.choice, state, facts);
  return [
    { rows: facts.live, yields: "oldest" },
    { rows: renderWork(state, facts), yields: "never" },
    {
      rows: [
        ...state.expected.map(({ text }) => toWaitingRow("  goes in with the next request: ", text, columns)),
        ...state.waiting.map(({ text, isShell }) => toWaitingRow("  queued: ", isShell ? `!${text}` : text, columns)),
      ],
      yields: "newest",
    },
    open,
    { rows: renderFoot(state, facts), yields: "never" },
  ];
}

function renderWriting(state: UiState, { size }: UiFacts): LivePart {
  const { rows, cursor } = renderComposer(state.composer, toComposerContext(state, size));
  return { rows: [[], ...rows], yields: "never", cursor: { ...cursor, row: cursor.row + 1 } };
}

function renderDialog(choice: OpenDialog["choice"], state: UiState, { size }: UiFacts): LivePart {
  const count = state.dialogs.length;
  const more: readonly Row[] =
    count > 1 ? [[{ text: `${pluralize(count - 1, "more question")} after this one`, roles: ["muted"] }]] : [];
  const { rows, cursor } = renderChoice(choice, toDialogRoom(state, size));
  return {
    rows: [[], ...rows, ...more],
    yields: "never",
    ...(cursor !== null && { cursor: { ...cursor, row: cursor.row + 1 } }),
  };
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 250;

/** While a dialog is open, the work waits for it, and Esc denies. */
function renderWork({ work, dialogs, keymap }: UiState, { at, isAnimated, size }: UiFacts): readonly Row[] {
  if (work.type !== "running" || dialogs.length > 0) return [];
  const sign = isAnimated ? (frames[Math.floor(at / frameMs) % frames.length] ?? "") : "•";
  const seconds = Math.floor((at - work.since) / 1000);
  const time = isAnimated ? `${seconds} s, ` : "";
  const key = showFirstKey(keymap, "chat.interrupt_turn") ?? showFirstKey(keymap, "chat.cancel");
  const words = work.isStopping ? "stopping" : `working (${time}${key} to stop)`;
  return [
    [],
    truncateRow(
      [
        { text: `${sign} `, roles: ["accent"] },
        { text: words, roles: ["muted"] },
      ],
      size.columns - 1,
    ),
  ];
}

function toWaitingRow(label: string, text: string, columns: number): Row {
  const line = toShownText(text).replaceAll(/\s+/g, " ");
  return truncateRow([{ text: label, roles: ["muted"] }, { text: line }], columns - 1);
}

function renderFoot(state: UiState, { status, size }: UiFacts): readonly Row[] {
  if (state.hint !== null)
    return wrapLine({ spans: [{ text: state.hint, roles: ["warning"] }], wrap: "words" }, size.columns - 1);
  const unknown = state.dialogs.length > 0 ? describeMenu(state.keymap) : "starting";
  const known: Row = status ?? [{ text: unknown, roles: ["muted"] }];
  return [truncateRow([...describeVim(state), ...known], size.columns - 1)];
}

/** The mode of Vim, in front of the status line; empty: Vim keys are off, or a question is open. */
function describeVim({ composer: { vim }, dialogs }: UiState): Row {
  if (vim === null || dialogs.length > 0) return [];
  const { selection } = vim;
  const mode = selection === null ? vim.mode.toUpperCase() : selection.isLines ? "VISUAL LINE" : "VISUAL";
  const keys = vim.pending === "" ? "" : ` ${vim.pending}`;
  return [
    { text: `${mode}${keys}`, roles: ["accent", "strong"] },
    { text: " · ", roles: ["muted"] },
  ];
}

function describeMenu(keymap: Keymap): string {
  const moves = (["list.move_up", "list.move_down"] as const).map((action) => showFirstKey(keymap, action));
  const shown = moves.filter((key) => key !== null).map((key) => arrows[key] ?? key);
  const move = shown.length === 0 ? [] : [`${shown.join(" ")} to move`];
  return [...move, `${showFirstKey(keymap, "list.accept")} to choose`].join(", ");
}

const arrows: Readonly<Record<string, string>> = { Up: "↑", Down: "↓" };

/** Besides the dialog: an empty row, the number of further questions, the status line, and a row of earlier text. */
const otherRows = 4;

/** In a window with fewer rows, only the status line and a free row are besides it. */
const smallRows = 14;
const smallOtherRows = 2;

/** The part of the screen that a dialog may use. */
export function toDialogRoom({ dialogs, keymap }: UiState, { columns, rows }: ScreenSize): ChoiceRoom {
  const others = (rows < smallRows ? smallOtherRows : otherRows) + (dialogs.length > 1 ? 1 : 0);
  return { columns, keymap, maxRows: Math.max(2, rows - others) };
}
