import type { RequestRow } from "@unroll/accounting";
import { pluralize } from "@unroll/text";
import { html, type Markup } from "../markup/html.ts";
import { formatCost } from "../text/format.ts";
import { type Frame, layOut, renderFrame, toCoordinate } from "./plot-frame.ts";

/** The thread's cost up to each request, with the cache and without it. Null: no request has a known cost. */
export function plotCost(rows: readonly RequestRow[]): Markup | null {
  const known = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  if (known.length === 0) return null;
  const withCache = addUp(rows.map(({ cost }) => cost?.withCache ?? 0));
  const without = addUp(rows.map(({ cost }) => cost?.withoutCache ?? 0));
  const frame = layOut({ height: 160, most: Math.max(withCache.at(-1) ?? 0, without.at(-1) ?? 0), count: rows.length });
  const label = `Cost of ${pluralize(known.length, "request")} added up, with the cache and without it`;
  const body = html`<polyline class="full" points="${toPoints(without, frame)}" /><polyline
      class="cost"
      points="${toPoints(withCache, frame)}"
    />`;
  return renderFrame(frame, { label, format: formatCost, body });
}

function addUp(values: readonly number[]): readonly number[] {
  let total = 0;
  return values.map((value) => (total += value));
}

/** From nothing on. */
function toPoints(totals: readonly number[], frame: Frame): string {
  const points = totals.map((total, at) => [frame.left + (at + 0.4) * frame.step, frame.yOf(total)] as const);
  return [[frame.left, frame.bottom] as const, ...points]
    .map(([x, y]) => `${toCoordinate(x)},${toCoordinate(y)}`)
    .join(" ");
}
