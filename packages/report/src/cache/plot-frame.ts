import { html, type Markup } from "../markup/html.ts";

/** Where a plot's values lie, in the units of its picture. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** From one request to the next. */
  readonly step: number;
  /** The value at the top. */
  readonly most: number;
  yOf(value: number): number;
}

const width = 960;
const margin = { left: 64, right: 8, top: 14, bottom: 22 };

export function layOut(size: { readonly height: number; readonly most: number; readonly count: number }): Frame {
  const { height, count } = size;
  const most = size.most > 0 ? size.most : 1;
  const bottom = height - margin.bottom;
  const step = Math.min(40, (width - margin.left - margin.right) / Math.max(count, 1));
  const yOf = (value: number): number => bottom - ((bottom - margin.top) * value) / most;
  return { left: margin.left, top: margin.top, bottom, height, step, most, yOf };
}

export interface FrameContent {
  /** The picture's contents, for those who do not see it. */
  readonly label: string;
  readonly format: (value: number) => string;
  readonly body: Markup;
}

export function renderFrame(frame: Frame, { label, format, body }: FrameContent): Markup {
  const lines = [0, 0.5, 1].map((share) => {
    const y = toCoordinate(frame.yOf(frame.most * share));
    const value = format(frame.most > 10 ? Math.round(frame.most * share) : frame.most * share);
    return html`<line class="axis" x1="${frame.left}" x2="${width - margin.right}" y1="${y}" y2="${y}" /><text
        x="${frame.left - 6}"
        y="${y}"
        text-anchor="end"
        dominant-baseline="middle"
        >${value}</text
      >`;
  });
  return html`<svg class="plot" viewBox="0 0 ${width} ${frame.height}" role="img" aria-label="${label}">
    ${lines}${body}
    <text x="${frame.left}" y="${frame.height - 6}">requests, the first on the left</text>
  </svg>`;
}

/** Two digits: a thread of thousands of requests stays a small page. */
export function toCoordinate(value: number): number {
  return Math.round(value * 100) / 100;
}
