import { measureRow, type Role, type Row, type Span, type StyledLine, truncateText } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "./line/plain-line.ts";
import { formatDuration } from "./text/format-duration.ts";
import { formatTokens } from "./text/format-tokens.ts";

/** What a status line can show. Null: not known, or nothing to show. */
export interface StatusFacts {
  readonly model: string;
  readonly effort: string | null;
  /** As it is to be shown: `~/project`. */
  readonly cwd: string;
  readonly branch: string | null;
  readonly sandbox: string;
  readonly approvals: string;
  /** What the last request took of the window. */
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  /** Input of the thread so far. */
  readonly cachedTokens: number;
  readonly uncachedTokens: number;
  readonly costUsd: number | null;
  /** Of the running turn. */
  readonly elapsedMs: number | null;
}

/** A piece of the status line. */
export type StatusSegment =
  | "model"
  | "cwd"
  | "branch"
  | "sandbox"
  | "approvals"
  | "context"
  | "tokens"
  | "cost"
  | "elapsed";

/** In the order in which they stand. */
export const statusSegments: readonly StatusSegment[] = [
  "model",
  "cwd",
  "branch",
  "sandbox",
  "approvals",
  "context",
  "tokens",
  "cost",
  "elapsed",
];

/** From the one that goes last to the one that goes first where there is no room. */
const importance: readonly StatusSegment[] = [
  "context",
  "model",
  "sandbox",
  "approvals",
  "elapsed",
  "cost",
  "tokens",
  "branch",
  "cwd",
];

/** The segments in their order, in one line of at most `columns` cells: what matters least is left out first. */
export function renderStatusLine(facts: StatusFacts, segments: readonly StatusSegment[], columns: number): StyledLine {
  const shown = segments.flatMap((segment) => {
    const spans = renderSegment(segment, facts);
    return spans === null ? [] : [{ segment, spans }];
  });
  while (shown.length > 1 && measureRow(join(shown)) > columns) {
    const least = shown.reduce((worst, each, at) => (rank(each.segment) > rank(shown[worst]?.segment) ? at : worst), 0);
    shown.splice(least, 1);
  }
  const row = join(shown);
  if (measureRow(row) <= columns) return { spans: row, wrap: "verbatim" };
  const text = row.map((span) => span.text).join("");
  return { spans: [toSpan(truncateText(text, columns), ["muted"])], wrap: "verbatim" };
}

function rank(segment: StatusSegment | undefined): number {
  return segment === undefined ? -1 : importance.indexOf(segment);
}

function join(shown: readonly { readonly spans: readonly Span[] }[]): Row {
  return shown.flatMap(({ spans }, at) => (at === 0 ? spans : [toSpan(" · ", ["muted"]), ...spans]));
}

function renderSegment(segment: StatusSegment, facts: StatusFacts): readonly Span[] | null {
  switch (segment) {
    case "model":
      return [toSpan(toLine(facts.effort === null ? facts.model : `${facts.model} ${facts.effort}`), ["accent"])];
    case "cwd":
      return [toSpan(toLine(facts.cwd), ["muted"])];
    case "branch":
      return facts.branch === null ? null : [toSpan(`⎇ ${toLine(facts.branch)}`, ["muted"])];
    case "sandbox":
      return [toSpan(toLine(facts.sandbox), [isOpen(facts.sandbox) ? "warning" : "muted"])];
    case "approvals":
      return [toSpan(`ask ${toLine(facts.approvals)}`, ["muted"])];
    case "context":
      return renderContext(facts);
    case "tokens": {
      const { cachedTokens: cached, uncachedTokens: uncached } = facts;
      if (cached + uncached === 0) return null;
      return [toSpan(`${formatTokens(uncached)} new, ${formatTokens(cached)} cached`, ["muted"])];
    }
    case "cost":
      return facts.costUsd === null
        ? null
        : [toSpan(`$${facts.costUsd.toFixed(facts.costUsd < 1 ? 3 : 2)}`, ["muted"])];
    case "elapsed":
      return facts.elapsedMs === null ? null : [toSpan(formatDuration(facts.elapsedMs), ["muted"])];
  }
}

function isOpen(sandbox: string): boolean {
  return sandbox === "danger-full-access";
}

function renderContext({ contextTokens: used, contextWindow: window }: StatusFacts): readonly Span[] | null {
  if (used === null) return null;
  if (window === null || window <= 0) return [toSpan(`${formatTokens(used)} in context`, ["muted"])];
  const share = Math.round((100 * used) / window);
  const role: Role = share >= 90 ? "error" : share >= 75 ? "warning" : "muted";
  return [toSpan(`${share}% of ${formatTokens(window)}`, [role])];
}

function toLine(text: string): string {
  return toShownText(text).replaceAll(/[\n\t]+/g, " ");
}
