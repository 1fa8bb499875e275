import type { Terminal } from "@xterm/headless";
import { cellWidth, drawRow, font, margin, paper, rowHeight } from "./draw-screen.ts";

/** The screens that an emulator showed, one after the other. */
export interface Recording {
  readonly columns: number;
  readonly rows: number;
  readonly frames: readonly Frame[];
  /** The current frame stays for some seconds, so that people can read it. */
  hold(): void;
}

interface Frame {
  /** Each row as it is drawn at the height 0. */
  readonly rows: readonly string[];
  readonly ms: number;
}

/** How long a frame is shown, in ms: after a key, after new rows, and when it is held. */
const pace = { key: 70, rows: 450, held: 4_000 };

/** Records what the emulator shows from now on. */
export function record(emulator: Terminal): Recording {
  const frames: Frame[] = [];
  const look = (): void => {
    const { baseY } = emulator.buffer.active;
    const rows = Array.from({ length: emulator.rows }, (_, row) => drawRow(emulator, baseY + row, 0));
    const last = frames.at(-1)?.rows ?? [];
    const changed = rows.filter((row, at) => row !== last[at]).length;
    if (changed > 0) frames.push({ rows, ms: changed < 3 ? pace.key : pace.rows });
  };
  look();
  emulator.onWriteParsed(look);
  return {
    columns: emulator.cols,
    rows: emulator.rows,
    frames,
    hold() {
      look();
      const last = frames.pop();
      if (last) frames.push({ ...last, ms: pace.held });
    },
  };
}

/**
 * A recording as one picture that moves (SVG, by CSS alone: it plays where scripts and foreign files are refused). Without
 * animation it shows the last screen. `settle` replaces parts that differ from run to run.
 */
export function drawMotion({ columns, rows, frames }: Recording, settle: (text: string) => string): string {
  const [width, height] = [columns * cellWidth + 2 * margin, rows * rowHeight];
  const settled = frames.map((frame) => ({ ...frame, rows: frame.rows.map(settle) }));
  const shown = settled.filter(({ rows: own }, at) => own.join("\n") !== settled[at + 1]?.rows.join("\n"));
  const names = new Map([...new Set(shown.flatMap((frame) => frame.rows))].map((row, at) => [row, `r${at}`]));
  const last = -(shown.length - 1) * height;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 2 * margin}" ${font} role="img" aria-label="unroll repairs a failing test in a terminal">
<style>.film{animation:film ${toSeconds(totalOf(shown))} step-end infinite}@media(prefers-reduced-motion:reduce){.film{animation:none}}
@keyframes film{${toKeyframes(shown, height)}}</style>
<defs>
${[...names].flatMap(([row, name]) => (row === "" ? [] : [`<g id="${name}">${row}</g>`])).join("\n")}
</defs>
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
<svg y="${margin}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<g class="film" transform="translate(0 ${last})">
${shown.map((frame, at) => drawFrame(frame, { names, top: at * height })).join("\n")}
</g>
</svg>
</svg>
`;
}

interface Place {
  readonly names: ReadonlyMap<string, string>;
  readonly top: number;
}

function drawFrame({ rows }: Frame, { names, top }: Place): string {
  return rows
    .map((row, at) => (row === "" ? "" : `<use href="#${names.get(row)}" y="${top + (at + 1) * rowHeight - 5}"/>`))
    .join("");
}

function toKeyframes(frames: readonly Frame[], height: number): string {
  const all = totalOf(frames);
  let before = 0;
  const steps = frames.map(({ ms }, at) => {
    const step = `${((100 * before) / all).toFixed(2)}%{transform:translateY(${-at * height}px)}`;
    before += ms;
    return step;
  });
  return `${steps.join("")}100%{transform:translateY(${-(frames.length - 1) * height}px)}`;
}

function totalOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { ms }) => sum + ms, 0);
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)}s`;
}
