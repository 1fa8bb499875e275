import { countNouns } from "@unroll/text";
import { formatCost, formatCount, formatShare } from "../text/format.ts";
import { renderTable } from "../text/render-table.ts";
import type { ComparedMeasure, RunComparison } from "./compare-runs.ts";

interface Row {
  readonly what: string;
  readonly a: string;
  readonly b: string;
  readonly ratio: string;
  readonly median: string;
  readonly pairs: string;
}

const labels: Readonly<Record<ComparedMeasure["name"], string>> = {
  cost: "cost",
  duration_ms: "time",
  input_tokens: "input tokens",
  cached_input_tokens: "of them cached",
  output_tokens: "output tokens",
};

const mostNamed = 20;

/** Two runs side by side, in lines. `width`: of the terminal; null: no terminal. */
export function renderComparison(comparison: RunComparison, width: number | null): readonly string[] {
  const { tasks, only_a_solved: onlyA, only_b_solved: onlyB, p, missing } = comparison;
  const rows = [toSolvedRow(comparison), ...comparison.measures.map(toRow), toPriceRow(comparison)].flat();
  const { lines } = renderTable(rows, {
    layouts: [
      [
        { value: ({ what }) => what },
        { title: "A", align: "right", value: ({ a }) => a },
        { title: "B", align: "right", value: ({ b }) => b },
        { title: "B/A", align: "right", value: ({ ratio }) => ratio },
        { title: "median of pairs", align: "right", value: ({ median }) => median },
        { title: "pairs", align: "right", value: ({ pairs }) => pairs },
      ],
    ],
    width,
  });
  const differing = onlyA.length + onlyB.length;
  const chance = p < 0.05 ? "chance alone rarely does this" : "this may be chance";
  return [
    ...lines,
    "",
    differing === 0
      ? `Both runs solved the same ones of ${countNouns(tasks, "task")}.`
      : `${countNouns(differing, "task")} solved by one run alone: ${chance} (p = ${p.toFixed(p < 0.1 ? 3 : 2)}, exact McNemar test).`,
    ...listIds("Only A solved", onlyA),
    ...listIds("Only B solved", onlyB),
    ...listIds("Only in A, so not compared", missing.b),
    ...listIds("Only in B, so not compared", missing.a),
  ];
}

function toSolvedRow({ solved, tasks }: RunComparison): Row {
  const [a, b] = [solved.a, solved.b].map((count) => `${formatCount(count)} (${formatShare(count, tasks)})`);
  return {
    what: "solved",
    a: a ?? "",
    b: b ?? "",
    ratio: formatRatio(solved.a === 0 ? null : solved.b / solved.a),
    median: "",
    pairs: formatCount(tasks),
  };
}

function toRow({ name, a, b, ratio, median_ratio: median, pairs }: ComparedMeasure): Row {
  const format = (value: number): string =>
    pairs === 0
      ? "?"
      : name === "cost"
        ? formatCost(value)
        : name === "duration_ms"
          ? `${formatCount(Math.round(value / 1000))} s`
          : formatCount(value);
  return {
    what: labels[name],
    a: format(a),
    b: format(b),
    ratio: formatRatio(ratio),
    median: formatRatio(median),
    pairs: formatCount(pairs),
  };
}

/** The price of a solved task, if every cost is known. */
function toPriceRow({ solved, tasks, measures }: RunComparison): readonly Row[] {
  const cost = measures.find(({ name }) => name === "cost");
  if (cost === undefined || cost.pairs < tasks || solved.a === 0 || solved.b === 0) return [];
  const [a, b] = [cost.a / solved.a, cost.b / solved.b];
  const ratio = formatRatio(a === 0 ? null : b / a);
  return [{ what: "cost of a solved task", a: formatCost(a), b: formatCost(b), ratio, median: "", pairs: "" }];
}

function formatRatio(ratio: number | null): string {
  return ratio === null ? "" : `${ratio.toFixed(2)}x`;
}

function listIds(title: string, ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return [];
  const rest = ids.length - mostNamed;
  return [`${title}: ${ids.slice(0, mostNamed).join(", ")}${rest > 0 ? ` and ${rest} more (see --json)` : ""}`];
}
