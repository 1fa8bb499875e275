import type { RequestRow } from "@unroll/accounting";
import { pluralize } from "@unroll/text";
import { html, type Markup } from "../markup/html.ts";
import { describeMiss } from "../text/describe-account.ts";
import { formatCount } from "../text/format.ts";
import { type Frame, layOut, renderFrame, toCoordinate } from "./plot-frame.ts";

type Kind = "cached" | "uncached" | "untold" | "output";

interface Part {
  readonly kind: Kind;
  readonly tokens: number;
}

/** A bar a request: what was cached of its input, what was not, and its output; misses are marked. */
export function plotTokens(rows: readonly RequestRow[]): Markup {
  const stacks = rows.map(listParts);
  const most = stacks.reduce((max, parts) => Math.max(max, sum(parts)), 0);
  const frame = layOut({ height: 240, most, count: rows.length });
  const bars = rows.map((row, at) => renderBar(row, stacks[at] ?? [], { frame, at }));
  const marks = rows.flatMap((row, at) => (row.miss === null ? [] : [renderMark(row, { frame, at })]));
  const label = `Tokens of ${pluralize(rows.length, "request")}: cached and uncached input, output`;
  return renderFrame(frame, { label, format: formatCount, body: html`${bars}${marks}` });
}

/** From below. */
function listParts({ inputTokens, cachedTokens, uncachedTokens, outputTokens }: RequestRow): readonly Part[] {
  const input: readonly Part[] =
    cachedTokens === null || uncachedTokens === null
      ? [{ kind: "untold", tokens: inputTokens ?? 0 }]
      : [
          { kind: "cached", tokens: cachedTokens },
          { kind: "uncached", tokens: uncachedTokens },
        ];
  return [...input, { kind: "output", tokens: outputTokens ?? 0 }];
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0);
}

interface Place {
  readonly frame: Frame;
  readonly at: number;
}

function renderBar(row: RequestRow, parts: readonly Part[], { frame, at }: Place): Markup {
  const x = toCoordinate(frame.left + at * frame.step);
  const width = toCoordinate(Math.max(frame.step * 0.8, 0.5));
  const pieces = parts.map(({ kind, tokens }, n) => {
    const top = frame.yOf(sum(parts.slice(0, n + 1)));
    const height = frame.yOf(sum(parts.slice(0, n))) - top;
    if (tokens === 0) return null;
    return html`<rect
      class="${kind}"
      x="${x}"
      y="${toCoordinate(top)}"
      width="${width}"
      height="${toCoordinate(height)}"
    />`;
  });
  return html`<g><title>${describeBar(row)}</title>${pieces}</g>`;
}

function describeBar(row: RequestRow): string {
  const cached = `${formatCount(row.cachedTokens)} cached, ${formatCount(row.uncachedTokens)} uncached`;
  return `request ${row.request}, turn ${row.turn}: ${cached}, ${formatCount(row.outputTokens)} out. ${describeMiss(row)}`;
}

function renderMark(row: RequestRow, { frame, at }: Place): Markup {
  const x = toCoordinate(frame.left + (at + 0.4) * frame.step);
  return html`<g
    ><title>${describeBar(row)}</title
    ><line class="break" x1="${x}" x2="${x}" y1="${frame.top}" y2="${frame.bottom}" /><circle
      class="mark"
      cx="${x}"
      cy="${frame.top}"
      r="3"
  /></g>`;
}
