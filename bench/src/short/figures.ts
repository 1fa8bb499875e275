/** The programs that the short bench compares, ours first. */
export const programNames = ["unroll", "codex", "pi"] as const;
export type ProgramName = (typeof programNames)[number];

/** Why a program has no value: `not installed`, `no sandbox`. */
interface NoValue {
  readonly missing: string;
}

/** The value of one figure for one program. */
export type FigureValue = number | NoValue;

type FigureUnit = "ms" | "MiB";

/** One number of a row, for each program. */
export interface Figure {
  readonly name: string;
  readonly unit: FigureUnit;
}

/** A row of the short bench: one figure, or two that belong together. */
export interface FeltRow {
  readonly what: string;
  readonly figures: readonly Figure[];
}

/** The eight rows, in the order in which they are printed. A figure's name is its name in the series: renaming it ends a line. */
export const feltRows: readonly FeltRow[] = [
  { what: "first frame of the terminal", figures: [{ name: "first frame", unit: "ms" }] },
  { what: "first token: Enter to the screen", figures: [{ name: "first token", unit: "ms" }] },
  { what: "one message", figures: [{ name: "one message", unit: "ms" }] },
  {
    what: "100 calls: plain / sandboxed",
    figures: [
      { name: "100 calls", unit: "ms" },
      { name: "100 sandboxed calls", unit: "ms" },
    ],
  },
  { what: "1,000 calls", figures: [{ name: "1,000 calls", unit: "ms" }] },
  { what: "20 sandboxed calls, 20,000 folders", figures: [{ name: "20,000 folders", unit: "ms" }] },
  { what: "resume the last of 1,000 threads", figures: [{ name: "1,000 threads", unit: "ms" }] },
  {
    what: "memory: one message / 1,000 calls",
    figures: [
      { name: "memory of one message", unit: "MiB" },
      { name: "memory of 1,000 calls", unit: "MiB" },
    ],
  },
];

/** The values of a run, by figure and program. */
export type FigureValues = Readonly<Record<string, Readonly<Partial<Record<ProgramName, FigureValue>>>>>;
