import type { MeasuredRequest } from "./measure-prefixes.ts";

const [width, left, longest, rowHeight, top] = [900, 110, 560, 30, 76];

/** The requests of a thread as bars, on one scale: what the one before it had too, and what is new. Follows light and dark. */
export function renderPrefixes(requests: readonly MeasuredRequest[]): string {
  const scale = longest / Math.max(...requests.map(({ bytes }) => bytes));
  const height = top + requests.length * rowHeight + 40;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Each request begins with the bytes of the one before it">`,
    style,
    `<rect width="${width}" height="${height}" rx="8" class="paper"/>`,
    `<text x="20" y="30" class="title">Each request begins with the bytes of the one before it</text>`,
    `<rect x="20" y="46" width="12" height="12" rx="2" class="same"/><text x="38" y="56">the same bytes: the provider reads them from its cache</text>`,
    `<rect x="420" y="46" width="12" height="12" rx="2" class="new"/><text x="438" y="56">new: your message, calls and their output</text>`,
    ...requests.flatMap((request, at) => renderRequest({ request, at, scale })),
    `<text x="20" y="${height - 14}" class="note">${toNote(requests)}</text>`,
    "</svg>\n",
  ].join("\n");
}

const style = `<style>
text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:15px}.note,.size{fill:#59636e}.label{text-anchor:end}
.paper{fill:#f6f8fa}.same{fill:#8fb8b0}.new{fill:#c4511d}.edge{stroke:#59636e;stroke-dasharray:2 3}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note,.size{fill:#9198a1}.paper{fill:#151b23}.same{fill:#2f6f63}.new{fill:#f0883e}.edge{stroke:#9198a1}}
</style>`;

interface Row {
  readonly request: MeasuredRequest;
  readonly at: number;
  readonly scale: number;
}

function renderRequest({ request: { bytes, shared }, at, scale }: Row): readonly string[] {
  const y = top + at * rowHeight;
  const [same, all] = [round(shared * scale), round(bytes * scale)];
  const size = `${toKilobytes(bytes)}${at === 0 ? "" : `, ${toKilobytes(shared)} the same`}`;
  return [
    `<text x="${left - 12}" y="${y + 15}" class="label">request ${at + 1}</text>`,
    ...(same > 0 ? [`<rect x="${left}" y="${y}" width="${same}" height="20" class="same"/>`] : []),
    `<rect x="${round(left + same)}" y="${y}" width="${round(all - same)}" height="20" class="new"/>`,
    ...(same > 0 ? [`<path d="M${round(left + same)} ${y - rowHeight + 20}V${y}" class="edge"/>`] : []),
    `<text x="${round(left + all + 10)}" y="${y + 15}" class="size">${size}</text>`,
  ];
}

function toNote(requests: readonly MeasuredRequest[]): string {
  const tails = requests.map(({ tail }) => tail);
  const sent = requests.reduce((sum, { bytes }) => sum + bytes, 0);
  const shared = requests.reduce((sum, each) => sum + each.shared, 0);
  return `${Math.round((100 * shared) / sent)} % of all bytes sent were sent before. Only the last ${Math.max(...tails)} bytes of a request, behind its input, are not repeated.`;
}

function toKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
