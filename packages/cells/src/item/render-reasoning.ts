import { pluralize } from "@unroll/text";
import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderMarkdown } from "../markdown/render-source.ts";

/** Reasoning, dim: all of it, or its first line with a count. */
export function renderReasoning(text: string, options: CellOptions): readonly StyledLine[] {
  const isShown = options.reasoning === "shown" || options.detail === "whole";
  if (text.trim() === "" || (options.reasoning === "hidden" && options.detail !== "whole")) return [];
  const lines = renderMarkdown(text.trim(), { ...options.libraries, columns: options.columns }).map(dim);
  if (isShown || lines.length === 1) return lines;
  const [first] = lines;
  const rest = lines.length - 1;
  const count = toSpan(` … +${pluralize(rest, "line")}, ${options.more}`, ["muted"]);
  return [{ spans: [...(first?.spans ?? []), count], wrap: "words" }];
}

export function dim(line: StyledLine): StyledLine {
  return { ...line, spans: line.spans.map((span) => ({ ...span, roles: ["muted", ...(span.roles ?? [])] })) };
}
