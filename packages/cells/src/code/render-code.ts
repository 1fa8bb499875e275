import type { StyledLine } from "@unroll/screen";
import { toSpan } from "../line/plain-line.ts";
import { type CodeLines, highlightLines } from "./highlight-lines.ts";
import type { Highlighter } from "./highlighter.ts";
import { isLanguageName } from "./languages.ts";

/** A block of code: its lines as they are, so that they are copied as code. Above them what its fence says beside the language. */
export function renderCode(code: CodeLines, highlighter: Highlighter): readonly StyledLine[] {
  const lines = highlightLines(code, highlighter);
  const isTitled = !isLanguageName(code.info) && (code.before ?? []).length === 0;
  return isTitled ? [{ spans: [toSpan(code.info, ["muted"])], wrap: "words" }, ...lines] : lines;
}
