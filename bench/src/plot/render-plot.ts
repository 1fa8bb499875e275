import type { Measured, MeasuredRow } from "./parse-measured.ts";

const width = 900;
const rowHeight = 18;
/** Where the bars begin, and how long the longest may be, in px: the text behind it needs the rest. */
const left = 330;
const longest = 400;
/** The programs by their first word in the table. */
const programs = ["unroll", "codex", "pi"];
const works = ["one message", "100 calls", "100 sandboxed calls"];

interface Bar {
  readonly label: string;
  readonly length: number;
  readonly color: string;
  readonly text: string;
}

/** The README's table as one small picture: the same work by each program, and how much of each bound is used. Follows light and dark. */
export function renderPlot({ circumstances, rows }: Measured): string {
  const peers = works.flatMap((work) => scale(findWork(rows, work))); // each on its own scale: one is a hundred times another
  const bounds = rows.flatMap(toBoundBar);
  const worst = Math.max(...bounds.map(({ length }) => length));
  const first = renderBars(peers, { top: 62, textFrom: 0 });
  const second = 62 + peers.length * rowHeight + 44;
  const height = second + bounds.length * rowHeight + 12;
  const line = left + longest / worst;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="How fast unroll is">`,
    style,
    `<text x="10" y="20" class="title">How fast: ${escape(circumstances)}</text>`,
    `<text x="10" y="48" class="head">The same work: a message in wall time, calls in CPU time</text>`,
    ...first,
    `<text x="10" y="${second - 14}" class="head">How much of its bound each takes (the line is the bound)</text>`,
    ...renderBars(scale(bounds), { top: second, textFrom: line }),
    `<path d="M${round(line)} ${second - 6}V${height - 8}" class="line"/>`,
    "</svg>\n",
  ].join("\n");
}

const style = `<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:13px}.head{font-weight:600}.label{text-anchor:end}
.unroll,.met{fill:#2f7d6d}.other{fill:#8c959f}.missed{fill:#c4511d}.line{stroke:#1f2328;stroke-dasharray:3 2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.unroll,.met{fill:#4fb39f}.other{fill:#6e7681}.missed{fill:#f0883e}.line{stroke:#e6edf3}}
</style>`;

function findWork(rows: readonly MeasuredRow[], work: string): readonly Bar[] {
  return programs.flatMap((program) => {
    const row = rows.find(({ label, unit }) => unit === "ms" && isOf(label, program, work));
    if (row === undefined) return [];
    const color = program === "unroll" ? program : "other";
    return [
      { label: `${program}, ${work}`, length: row.value, color, text: `${row.value.toLocaleString("en-US")} ms` },
    ];
  });
}

/** `pi, 100 calls (it has no sandbox)` is 100 calls of pi; what is set against another program is in the other part. */
function isOf(label: string, program: string, work: string): boolean {
  const [own = ""] = label.split(/:| \(/);
  return own.replace(" exec", "") === `${program}, ${work}`;
}

function toBoundBar({ label, bound }: MeasuredRow): readonly Bar[] {
  if (bound === null) return [];
  const { measured, text, share, isMissed } = bound;
  const verdict = isMissed ? ": missed" : "";
  return [{ label, length: share, color: isMissed ? "missed" : "met", text: `${measured}, ${text}${verdict}` }];
}

/** The longest of them gets all the room. */
function scale(bars: readonly Bar[]): readonly Bar[] {
  const most = Math.max(...bars.map(({ length }) => length));
  return bars.map((bar) => ({ ...bar, length: (bar.length / most) * longest }));
}

/** `textFrom`: no text begins left of it, in px. */
function renderBars(
  bars: readonly Bar[],
  { top, textFrom }: { readonly top: number; readonly textFrom: number },
): readonly string[] {
  return bars.flatMap(({ label, length, color, text }, index) => {
    const y = top + index * rowHeight;
    return [
      `<text x="${left - 6}" y="${y + 10}" class="label">${escape(label)}</text>`,
      `<rect x="${left}" y="${y}" width="${round(length)}" height="12" class="${color}"/>`,
      `<text x="${round(Math.max(left + length, textFrom) + 6)}" y="${y + 10}">${escape(text)}</text>`,
    ];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
