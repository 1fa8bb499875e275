import { foldLine, showHidden } from "@unroll/text";

/** The result of one check. */
export interface Finding {
  /** The check's name: `config`, `provider`, `mcp docs`. */
  readonly check: string;
  /**
   * `failed`: something that was asked for cannot work. `warning`: it works, and perhaps not as it was meant. `skipped`: it was
   * not tried, and `message` says why.
   */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  readonly message: string;
  /** The remedy. Null: none is needed, or `message` has it. */
  readonly remedy: string | null;
}

export function toFinding(check: string, state: Finding["state"], message: string): Finding {
  return { check, state, message, remedy: null };
}

const shownExamples = 5;

/** Some of these names, in one text. */
export function listExamples(names: readonly string[]): string {
  const more = names.length > shownExamples ? ` and ${names.length - shownExamples} more` : "";
  return `${names.slice(0, shownExamples).join(", ")}${more}`;
}

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
