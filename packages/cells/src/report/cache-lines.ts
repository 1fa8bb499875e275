import type { StyledLine } from "@unroll/screen";
import { formatTokens, pluralize, toShownText } from "@unroll/text";
import { emptyLine, toSpan } from "../line/plain-line.ts";

/** One request of a thread; `RequestRow` of `accounting` is one. Null: unknown. */
export interface CacheRow {
  readonly request: number;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly uncachedTokens: number | null;
  readonly outputTokens: number | null;
  /** Why some resent tokens were not cached; null: all were. */
  readonly miss: { readonly cause: string } | null;
}

/** How many of the last requests are shown. */
const shownRows = 30;

/** The body of `/cache`: the cached tokens of each request, then `summary` (`describeAccount` of `report`). */
export function renderCache(rows: readonly CacheRow[], summary: readonly string[]): readonly StyledLine[] {
  const shown = rows.slice(-shownRows);
  const hidden = rows.length - shown.length;
  const head: StyledLine = {
    spans: [
      toSpan(`${["request", "input", "cached", "new", "output"].map((name) => name.padStart(8)).join("")}`, ["strong"]),
    ],
    wrap: "verbatim",
  };
  return [
    ...(rows.length === 0 ? [] : [head]),
    ...(hidden === 0
      ? []
      : [{ spans: [toSpan(`  … ${pluralize(hidden, "earlier request")}`, ["muted"])], wrap: "words" } as const]),
    ...shown.flatMap(renderRow),
    ...(rows.length === 0 ? [] : [emptyLine]),
    ...summary.map((line): StyledLine => ({ spans: [toSpan(toShownText(line))], wrap: "words" })),
  ];
}

function renderRow({
  request,
  inputTokens,
  cachedTokens,
  uncachedTokens,
  outputTokens,
  miss,
}: CacheRow): readonly StyledLine[] {
  const figures = [
    String(request),
    ...[inputTokens, cachedTokens, uncachedTokens, outputTokens].map((count) =>
      count === null ? "?" : formatTokens(count),
    ),
  ];
  const line: StyledLine = { spans: [toSpan(figures.map((text) => text.padStart(8)).join(""))], wrap: "verbatim" };
  if (miss === null) return [line];
  const why = toSpan(`          ${toShownText(miss.cause)}`, ["warning"]);
  return [line, { spans: [why], wrap: "words", hanging: [{ text: "          " }] }];
}
