import { renderTable, type TableColumn } from "@unroll/report";

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
const columns: readonly TableColumn<Finding>[] = [
  { least: 4, value: ({ state }) => marks[state] },
  { least: "provider".length, value: ({ check }) => check },
  { value: ({ message, remedy }) => [message, remedy ?? ""].map((text) => text.trim()).join(" ") },
];

/** One line, or as many rows as a terminal of so many columns needs; null: there is none. */
export function renderFinding(finding: Finding, width: number | null): string {
  return renderTable([finding], { layouts: [columns], width }).lines.join("\n");
}
