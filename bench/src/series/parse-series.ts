import type { FigureValues } from "../short/figures.ts";

/** One run of the short bench, which is a line of the series: JSON, the oldest first. */
export interface SeriesRun {
  /** As `2026-11-24`. */
  readonly date: string;
  /** The commit that was measured. */
  readonly commit: string;
  /** The machine: values of different machines are not comparable. */
  readonly machine: string;
  readonly values: FigureValues;
}

/** With its line end. */
export function toSeriesLine(run: SeriesRun): string {
  return `${JSON.stringify(run)}\n`;
}

/** Throws on a line that is not a run, with its number. */
export function parseSeries(text: string): readonly SeriesRun[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [parseRun(line, index + 1)]));
}

function parseRun(line: string, number: number): SeriesRun {
  const run = tryToParse(line) as Partial<SeriesRun> | null;
  if (typeof run?.date !== "string" || typeof run.values !== "object")
    throw new Error(`Line ${number} of the series is not a run of the bench.`);
  return run as SeriesRun; // whole lines are ours
}

function tryToParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
