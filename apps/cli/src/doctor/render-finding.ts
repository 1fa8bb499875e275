import { showHidden } from "@unroll/text";
import { foldLine } from "@unroll/text";
import type { Finding } from "./finding.ts";

const marks: Readonly<Record<Finding["state"], string>> = { ok: "ok", warning: "warn", failed: "FAIL", skipped: "-" };
const longestMark = 4;
const longestCheck = "provider".length;
/** Narrower than this, rows are left to the terminal. */
const fewestColumns = 30;

/** One line, or as many rows as a terminal of so many columns needs; null: there is none. */
export function renderFinding({ check, state, message, remedy }: Finding, columns: number | null): string {
  const head = `${marks[state].padEnd(longestMark)}  ${check.padEnd(longestCheck)}  `;
  const text = showHidden(`${head}${toOneLine(message)}${remedy === null ? "" : ` ${toOneLine(remedy)}`}`);
  if (columns === null || columns < fewestColumns) return text;
  const margin = longestMark + longestCheck + 4;
  const [first = "", ...more] = foldRows(text, columns, margin);
  return [first, ...more.map((row) => " ".repeat(margin) + row)].map((row) => row.trimEnd()).join("\n");
}

function foldRows(text: string, columns: number, margin: number): readonly string[] {
  const [first = ""] = foldLine(text, columns);
  const rest = text.slice(first.length);
  return rest === "" ? [first] : [first, ...foldLine(rest, Math.max(columns - margin, 20))];
}

function toOneLine(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/g, " ");
}
