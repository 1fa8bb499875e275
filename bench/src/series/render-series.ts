import { feltRows, type Figure, type ProgramName, programNames } from "../short/figures.ts";
import type { SeriesRun } from "./parse-series.ts";

const [panelWidth, panelHeight, columns] = [420, 120, 2];
/** Around the lines of a panel, in px: the title above, the last values at the right. */
const [above, right, below] = [30, 90, 14];

/** A panel for each figure, a line for each program, a point for each run, the newest at the right. Follows light and dark. */
export function renderSeries(runs: readonly SeriesRun[]): string {
  const figures = feltRows.flatMap((row) => row.figures);
  const height = 40 + Math.ceil(figures.length / columns) * panelHeight;
  const panels = figures.map((figure, index) => {
    const [x, y] = [(index % columns) * panelWidth, 40 + Math.floor(index / columns) * panelHeight];
    return `<g transform="translate(${x} ${y})">${renderPanel(figure, runs)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * panelWidth} ${height}" role="img" aria-label="The bench of each run">`,
    style,
    `<text x="10" y="22" class="head">${describe(runs)}</text>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

const style = `<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}.head{font-weight:600}
polyline{fill:none;stroke-width:1.5}.unroll{stroke:#2f7d6d;fill:#2f7d6d}.codex{stroke:#6e7681;fill:#6e7681}.pi{stroke:#c4511d;fill:#c4511d}text.unroll,text.codex,text.pi{stroke:none}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}}
</style>`;

function describe(runs: readonly SeriesRun[]): string {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (first === undefined || last === undefined) return "No run yet";
  const count = runs.length === 1 ? "1 run" : `${runs.length} runs`;
  return escape(`${count}, ${first.date} to ${last.date}, the last of ${last.commit.slice(0, 8)}: ${last.machine}`);
}

interface Point {
  readonly at: number;
  readonly value: number;
}

/** From zero, so that a line's height is its value. */
function renderPanel({ name, unit }: Figure, runs: readonly SeriesRun[]): string {
  const lines = programNames.map((program) => ({ program, points: findPoints(name, program, runs) }));
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  const toX = (at: number): number => round(10 + ((panelWidth - right - 10) * at) / Math.max(1, runs.length - 1));
  const toY = (value: number): number => round(panelHeight - below - ((panelHeight - above - below) * value) / most);
  const drawn = lines.flatMap(({ program, points }) => {
    const last = points.at(-1);
    if (last === undefined) return [];
    const path = points.map(({ at, value }) => `${toX(at)},${toY(value)}`).join(" ");
    const label = `${program} ${last.value.toLocaleString("en-US", { maximumFractionDigits: last.value < 100 ? 1 : 0 })}`;
    return [
      `<polyline class="${program}" points="${path}"/>`,
      `<circle class="${program}" cx="${toX(last.at)}" cy="${toY(last.value)}" r="2.5"/>`,
      `<text class="${program}" x="${toX(last.at) + 6}" y="${toY(last.value) + 4}">${escape(label)}</text>`,
    ];
  });
  return `<text x="10" y="18">${escape(`${name}, ${unit}`)}</text>${drawn.join("")}`;
}

function findPoints(figure: string, program: ProgramName, runs: readonly SeriesRun[]): readonly Point[] {
  return runs.flatMap(({ values }, at) => {
    const value = values[figure]?.[program];
    return typeof value === "number" ? [{ at, value }] : [];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
