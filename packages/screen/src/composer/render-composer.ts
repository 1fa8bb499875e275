import type { CellPosition } from "../line/row.ts";
import type { Row } from "../line/row.ts";
import type { Role, Span } from "../line/styled-line.ts";
import type { TextRange } from "../width/break-text.ts";
import { measureRow, truncateText } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Candidate, CandidateList } from "./candidate.ts";
import type { Composer, ComposerContext } from "./composer.ts";
import { type Layout, layOut, signWidth } from "./layout.ts";
import { findSelected } from "./press-vim.ts";
import { toShownOffset } from "./shown-text.ts";

/** The composer's rows with the completions below, and the cell of the caret. The terminal's cursor is there too, for input methods. */
export interface RenderedComposer {
  readonly rows: readonly Row[];
  readonly cursor: CellPosition;
}

/** Renders the text in at most `maxRows` rows. The caret's cell counts from the first of these rows. */
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
  const popup = composer.popup === null ? [] : popupRows(composer.popup, context);
  return { rows: [...rows, ...popup], cursor: caret };
}

function sign(composer: Composer): Span {
  return { text: "› ", roles: [composer.text.startsWith("!") ? "warning" : "accent"] };
}

/** Labels of pieces and what Vim's keys select look different. */
function textRow(composer: Composer, layout: Layout, row: { range: TextRange; isFirst: boolean }): Row {
  const { shown } = layout;
  const range = findSelected(composer);
  const selected =
    range === null ? [] : [{ start: toShownOffset(shown, range.start), end: toShownOffset(shown, range.end) }];
  const marks: ReadonlyArray<readonly [Role, readonly TextRange[]]> = [
    ["accent", shown.labels],
    ["selected", selected],
  ];
  const edges = marks
    .flatMap(([, ranges]) => ranges.flatMap(({ start, end }) => [start, end]))
    .filter((at) => at > row.range.start && at < row.range.end)
    .toSorted((one, other) => one - other);
  const cuts = [...new Set([row.range.start, ...edges, row.range.end])];
  const spans = cuts.slice(1).map((end, index): Span => {
    const start = cuts[index] ?? 0;
    const roles = marks.flatMap(([role, ranges]) =>
      ranges.some((each) => each.start <= start && end <= each.end) ? [role] : [],
    );
    return { text: shown.text.slice(start, end), ...(roles.length > 0 && { roles }) };
  });
  return [row.isFirst ? sign(composer) : { text: " ".repeat(signWidth) }, ...spans];
}

function withSearch(rows: readonly Row[], mode: Extract<Composer["mode"], { type: "searching" }>): RenderedComposer {
  const label = mode.isMissed ? "  no match in history: " : "  search history: ";
  const roles: Role[] = mode.isMissed ? ["warning"] : ["muted"];
  return {
    rows: [...rows, [{ text: label, roles }, { text: mode.query }]],
    cursor: { row: rows.length, column: measureText(label) + measureText(mode.query) },
  };
}

/** The fewest completions that are listed at once, in however small a window. */
const leastListed = 4;

function popupRows(
  { candidates, selected, query }: CandidateList,
  { columns, maxRows, maxListed = maxRows }: ComposerContext,
): Row[] {
  const width = columns - 1;
  const height = Math.max(leastListed, maxListed);
  const first = Math.max(0, Math.min((selected ?? 0) - height + 1, candidates.length - height));
  const shown = candidates.slice(first, first + height);
  const sign = query.kind === "command" ? "/" : "";
  const nameOf = ({ value, label }: Candidate): string => sign + (label ?? value);
  const widest = Math.min(Math.floor(width / 2), Math.max(...shown.map((each) => measureText(nameOf(each)))));
  const rows = shown.map((candidate, index): Row => {
    const isSelected = first + index === selected;
    // the end tells paths of one folder apart
    const name = truncateText(nameOf(candidate), width - 4, query.kind === "file" ? "middle" : "end");
    const value: Row = [{ text: name, roles: isSelected ? ["selected", "accent"] : [] }];
    const gap = " ".repeat(Math.max(0, widest - measureText(nameOf(candidate))) + 2);
    const detail = fitDetail(candidate, width - 4 - measureRow(value) - gap.length);
    const behind: Row = detail === "" ? [] : [{ text: gap + detail, roles: ["muted"] }];
    const mark: Span = { text: isSelected ? "  › " : "    ", roles: ["accent"] };
    return [mark, ...value, ...behind];
  });
  return [
    ...rows,
    ...describeSelected(candidates[selected ?? -1], width - 4 - widest - 2, width),
    ...(candidates.length > height ? [countRow({ first, shown: shown.length, all: candidates.length })] : []),
  ];
}

/** The argument and the description, or the description alone; empty: neither fits whole. */
function fitDetail({ argument, detail = "" }: Candidate, room: number): string {
  const full = argument === undefined ? detail : `${argument}  ${detail}`;
  return [full, detail].find((text) => measureText(text) <= room) ?? "";
}

/** The description of the selected completion below the list, if it has no room beside it. */
function describeSelected(selected: Candidate | undefined, room: number, width: number): readonly Row[] {
  if (selected?.detail === undefined || fitDetail(selected, room) !== "") return [];
  const indent: Row = [{ text: "    " }];
  const spans: Row = [...indent, { text: selected.detail, roles: ["muted"] }];
  return wrapLine({ spans, wrap: "words", hanging: indent }, width);
}

function countRow({ first, shown, all }: { first: number; shown: number; all: number }): Row {
  return [{ text: `    ${first + 1} to ${first + shown} of ${all}`, roles: ["muted"] }];
}
