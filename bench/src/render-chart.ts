import { parse, View } from "vega";
import { compile } from "vega-lite";
import type { BenchResult } from "./bench.ts";

/** The ratios as bars, one panel a benchmark, on a logarithmic scale; the line is 1, the base of each ratio. `title`: when and with what. */
export async function renderChart(results: readonly BenchResult[], title: string): Promise<string> {
  const values = results.flatMap(({ name, rows }) =>
    rows.flatMap(({ label, ratio, ok }) =>
      ratio === undefined ? [] : [{ bench: name, label, ratio, bound: ok === false ? "missed" : "held or none" }],
    ),
  );
  const { spec } = compile({
    title,
    data: { values },
    facet: { row: { field: "bench", title: null, header: { labelAngle: 0, labelAlign: "left", labelOrient: "top" } } },
    resolve: { scale: { y: "independent" } },
    spec: {
      width: 520,
      height: { step: 18 },
      layer: [
        {
          mark: { type: "bar", height: 12 },
          encoding: {
            y: { field: "label", type: "nominal", sort: null, title: null, axis: { labelLimit: 320 } },
            x: { field: "ratio", type: "quantitative", scale: { type: "log" }, title: "ratio in one run (log)" },
            x2: { datum: 1 },
            color: {
              field: "bound",
              type: "nominal",
              scale: { domain: ["held or none", "missed"], range: ["#4c78a8", "#e45756"] },
              title: "bound",
            },
          },
        },
        { mark: { type: "rule", color: "#333" }, encoding: { x: { datum: 1 } } },
      ],
    },
  });
  return new View(parse(spec), { renderer: "none" }).toSVG();
}
