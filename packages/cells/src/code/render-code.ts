import { expandTabs, type StyledLine } from "@unroll/screen";
import { toSpan } from "../line/plain-line.ts";
import type { Highlighter } from "./highlighter.ts";

/** Longer lines are data, and cost too much. */
const maxLineLength = 2000;

interface CodeLines {
  readonly lines: readonly string[];
  /** The text after the opening fence. */
  readonly info: string;
  /** Lines in front of them that are not shown here. */
  readonly before?: readonly string[];
}

/** A block of code: its lines as they are, so that they are copied as code. Above them what its fence says beside the language. */
export function renderCode(code: CodeLines, highlighter: Highlighter): readonly StyledLine[] {
  const { info, before = [] } = code;
  const lines = highlightLines(code, highlighter);
  if (info === "" || highlighter.knows(info) || before.length > 0) return lines;
  return [{ spans: [toSpan(info, ["muted"])], wrap: "words" }, ...lines];
}

/** Code as verbatim lines. */
function highlightLines({ lines, info, before = [] }: CodeLines, highlighter: Highlighter): readonly StyledLine[] {
  const [language = ""] = info.split(/[\s,{]/, 1);
  const shown = lines.map((line) => expandTabs(line));
  const isShort = [...before, ...shown].every((line) => line.length <= maxLineLength);
  const code = [...before.map((line) => expandTabs(line)), ...shown].join("\n");
  const colored = language === "" || !isShort ? null : highlighter.highlight(code, language);
  return shown.map((line, at) => ({
    spans: colored?.[before.length + at] ?? (line === "" ? [] : [toSpan(line)]),
    wrap: "verbatim",
  }));
}
