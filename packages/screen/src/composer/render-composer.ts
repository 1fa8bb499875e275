import type { CellPosition } from "../line/row.ts";
import type { Row } from "../line/row.ts";
import type { Role, Span } from "../line/styled-line.ts";
import type { TextRange } from "../width/break-text.ts";
import { truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import type { CandidateList } from "./candidate.ts";
import type { Composer, ComposerContext } from "./composer.ts";
import { type Layout, layOut, signWidth } from "./layout.ts";

/** The composer's rows, with its completions below, and the cell of its caret: there the terminal's cursor stands, for input methods too. */
export interface RenderedComposer {
  readonly rows: readonly Row[];
  readonly cursor: CellPosition;
}

/** The rows of what is written, at most `maxRows`, and the cell of the caret in them, counted from the first of these rows. */
export function renderComposer(composer: Composer, context: ComposerContext): RenderedComposer {
  const layout = layOut(composer, context);
  const visible = Math.max(1, Math.min(context.maxRows, layout.rows.length));
  // No state for scrolling: the caret's row is the last one that is shown, or all above it fits.
  const first = Math.max(
    0,
    Math.min(
      layout.caret.row - visible + 1 + Math.min(1, layout.rows.length - 1 - layout.caret.row),
      layout.rows.length - visible,
    ),
  );
  const rows = layout.rows
    .slice(first, first + visible)
    .map((range, index) => textRow(composer, layout, { range, isFirst: first + index === 0 }));
  if (composer.text === "" && context.placeholder !== undefined && composer.mode.type !== "searching") {
    rows[0] = [sign(composer), { text: context.placeholder, roles: ["muted"] }];
  }
  const caret = { row: layout.caret.row - first, column: layout.caret.column + signWidth };
  if (composer.mode.type === "searching") return withSearch(rows, composer.mode);
  const popup = composer.popup === null ? [] : popupRows(composer.popup, context.columns - 1);
  return { rows: [...rows, ...popup], cursor: caret };
}

function sign(composer: Composer): Span {
  return { text: "› ", roles: [composer.text.startsWith("!") ? "warning" : "accent"] };
}

function textRow(composer: Composer, layout: Layout, row: { range: TextRange; isFirst: boolean }): Row {
  const spans: Span[] = [row.isFirst ? sign(composer) : { text: " ".repeat(signWidth) }];
  let at = row.range.start;
  for (const label of layout.shown.labels) {
    const [start, end] = [Math.max(label.start, at), Math.min(label.end, row.range.end)];
    if (end <= start) continue;
    if (start > at) spans.push({ text: layout.shown.text.slice(at, start) });
    spans.push({ text: layout.shown.text.slice(start, end), roles: ["accent"] });
    at = end;
  }
  if (row.range.end > at) spans.push({ text: layout.shown.text.slice(at, row.range.end) });
  return spans;
}

function withSearch(rows: readonly Row[], mode: Extract<Composer["mode"], { type: "searching" }>): RenderedComposer {
  const label = mode.isMissed ? "  nothing sent before holds: " : "  search what was sent: ";
  const roles: Role[] = mode.isMissed ? ["warning"] : ["muted"];
  return {
    rows: [...rows, [{ text: label, roles }, { text: mode.query }]],
    cursor: { row: rows.length, column: measureText(label) + measureText(mode.query) },
  };
}

/** So many completions are seen at once. */
const popupHeight = 6;

function popupRows(popup: CandidateList, width: number): Row[] {
  const { candidates, selected } = popup;
  const first = Math.max(0, Math.min(selected - popupHeight + 1, candidates.length - popupHeight));
  const shown = candidates.slice(first, first + popupHeight);
  const signText = popup.query.kind === "command" ? "/" : "";
  const widest = Math.min(Math.floor(width / 2), Math.max(...shown.map((each) => measureText(signText + each.value))));
  return shown.map((candidate, index) => {
    const isSelected = first + index === selected;
    const value = truncateRow(
      [{ text: signText + candidate.value, roles: isSelected ? ["selected", "accent"] : [] }],
      width - 4,
    );
    const room = " ".repeat(Math.max(0, widest - measureText(signText + candidate.value)) + 2);
    const detail: Span[] = candidate.detail === undefined ? [] : [{ text: room + candidate.detail, roles: ["muted"] }];
    return truncateRow([{ text: isSelected ? "  › " : "    ", roles: ["accent"] }, ...value, ...detail], width);
  });
}
