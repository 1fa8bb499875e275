import type { BenchResult, BenchRow } from "./bench.ts";

/** A Markdown table, so that it can be pasted where a figure is claimed. */
export function renderTable({ name, rows }: BenchResult): string {
  const header = ["what", "value", "ratio", "target", ""];
  const cells = [header, header.map(() => "---"), ...rows.map(toCells)];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  return `\n### ${name}\n\n${lines.join("\n")}\n`;
}

function toCells({ label, value, unit, ratio, target, ok }: BenchRow): readonly string[] {
  const verdict = ok === undefined ? "" : ok ? "ok" : "MISSED";
  return [
    label,
    `${formatNumber(value)} ${unit}`,
    ratio === undefined ? "" : `${ratio.toFixed(2)}x`,
    target ?? "",
    verdict,
  ];
}

function formatNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}
