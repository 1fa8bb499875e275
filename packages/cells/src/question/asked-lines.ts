import { expandTabs, type Role, type Span, type StyledLine } from "@unroll/screen";
import { showExact, showHidden } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

/** A part of what is asked, with our word for what it is. */
export interface QuestionPart {
  /** Ours, at most nine characters: never a word of what is asked. */
  readonly label: string;
  readonly text: string;
  readonly roles?: readonly Role[];
  /** Sentences, which are broken between words. Absent: every character counts. */
  readonly isProse?: boolean;
}

const mark: Span = { text: "│ ", roles: ["muted"] };
/** Marks a row that continues the row above: it is not a new line of the question. */
const turned: Span = { text: "↪ ", roles: ["muted"] };
const labelWidth = 10;

/** The parts as rows: whole, with all that hides or looks like something else written out. Behind the mark, so that none can pose as ours. */
export function toAskedLines(parts: readonly QuestionPart[]): readonly StyledLine[] {
  return parts.flatMap(({ label, text, roles = [], isProse = false }) =>
    (isProse ? showHidden(text) : showExact(text)).split("\n").map((line, at): StyledLine => {
      const name = toSpan((at === 0 ? label : "").padEnd(labelWidth), ["muted"]);
      return {
        spans: [name, mark, ...(line === "" ? [] : [toSpan(expandTabs(line), roles)])],
        wrap: isProse ? "words" : "verbatim",
        hanging: [toSpan(" ".repeat(labelWidth)), isProse ? mark : turned],
      };
    }),
  );
}

/** Lines of a document that are coloured already, behind the same mark. */
export function markLines(label: string, lines: readonly StyledLine[]): readonly StyledLine[] {
  return lines.map(({ spans }, at) => ({
    spans: [
      toSpan((at === 0 ? label : "").padEnd(labelWidth), ["muted"]),
      mark,
      ...spans.map((span) => ({ ...span, text: showExact(span.text, "document") })),
    ],
    wrap: "verbatim",
    hanging: [toSpan(" ".repeat(labelWidth)), turned],
  }));
}
