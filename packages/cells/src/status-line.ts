import { measureRow, type Role, type Row, type Span, type StyledLine, truncateText } from "@unroll/screen";
import { formatTokens, toShownText } from "@unroll/text";
import { toSpan } from "./line/plain-line.ts";
import { formatDuration } from "./format-duration.ts";

/** The facts that a status line can show. Null: not known, or nothing to show. */
export interface StatusFacts {
  readonly model: string;
  readonly effort: string | null;
  /** The working folder in its short form: `~/project`. */
  readonly cwd: string;
  readonly branch: string | null;
  readonly sandbox: string;
  readonly approvals: string;
  /** Tokens of the context window that the last request used. */
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  /** Input of the thread so far. */
  readonly cachedTokens: number;
  readonly uncachedTokens: number;
  readonly costUsd: number | null;
  /** The running turn's time so far. */
  readonly elapsedMs: number | null;
}

/** In the order in which they are shown. */
export const statusSegments = [
  "model",
  "cwd",
  "branch",
  "sandbox",
  "approvals",
  "context",
  "tokens",
  "cost",
  "elapsed",
] as const;

/** A piece of the status line. */
export type StatusSegment = (typeof statusSegments)[number];

interface Segment {
  /** If there is no room, the segment with the highest rank goes first. */
  readonly rank: number;
  /** Null: there is nothing to show. */
  readonly render: (facts: StatusFacts) => Span | null;
}

const segments: Readonly<Record<StatusSegment, Segment>> = {
  model: {
    rank: 2,
    render: ({ model, effort }) => toSpan(toLine(effort === null ? model : `${model} ${effort}`), ["accent"]),
  },
  cwd: { rank: 8, render: ({ cwd }) => muted(toLine(cwd)) },
  branch: { rank: 7, render: ({ branch }) => (branch === null ? null : muted(`⎇ ${toLine(branch)}`)) },
  sandbox: {
    rank: 0,
    render: ({ sandbox }) => toSpan(toLine(sandbox), [sandbox === "danger-full-access" ? "warning" : "muted"]),
  },
  approvals: { rank: 3, render: ({ approvals }) => muted(`ask ${toLine(approvals)}`) },
  context: { rank: 1, render: renderContext },
  tokens: {
    rank: 6,
    render({ cachedTokens: cached, uncachedTokens: uncached }) {
      return cached + uncached === 0 ? null : muted(`${formatTokens(uncached)} new, ${formatTokens(cached)} cached`);
    },
  },
  cost: { rank: 5, render: ({ costUsd: usd }) => (usd === null ? null : muted(`$${usd.toFixed(usd < 1 ? 3 : 2)}`)) },
  elapsed: { rank: 4, render: ({ elapsedMs }) => (elapsedMs === null ? null : muted(formatDuration(elapsedMs))) },
};

/** The segments in their order, in one line of at most `columns` cells: the least important are left out first. */
export function renderStatusLine(facts: StatusFacts, names: readonly StatusSegment[], columns: number): StyledLine {
  let shown = names.flatMap((name) => {
    const span = segments[name].render(facts);
    return span === null ? [] : [{ span, rank: segments[name].rank }];
  });
  while (shown.length > 1 && measureRow(join(shown)) > columns) {
    const least = Math.max(...shown.map(({ rank }) => rank));
    shown = shown.filter(({ rank }) => rank !== least);
  }
  const row = join(shown);
  if (measureRow(row) <= columns) return { spans: row, wrap: "verbatim" };
  const text = row.map((span) => span.text).join("");
  return { spans: [muted(truncateText(text, columns))], wrap: "verbatim" };
}

function join(shown: readonly { readonly span: Span }[]): Row {
  return shown.flatMap(({ span }, at) => (at === 0 ? [span] : [muted(" · "), span]));
}

function renderContext({ contextTokens: used, contextWindow: window }: StatusFacts): Span | null {
  if (used === null) return null;
  if (window === null || window <= 0) return muted(`${formatTokens(used)} in context`);
  const share = Math.round((100 * used) / window);
  const role: Role = share >= 90 ? "error" : share >= 75 ? "warning" : "muted";
  return toSpan(`${share}% of ${formatTokens(window)}`, [role]);
}

function muted(text: string): Span {
  return toSpan(text, ["muted"]);
}

function toLine(text: string): string {
  return toShownText(text).replaceAll(/[\n\t]+/g, " ");
}
