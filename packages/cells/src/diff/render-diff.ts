import { expandTabs, type Role, type Span, type StyledLine } from "@unroll/screen";
import { type DiffLine, readCutLines, showHidden } from "@unroll/text";
import { countHidden, foldLines } from "../line/fold-lines.ts";
import { toSpan } from "../line/plain-line.ts";
import { markWords, type WordDiff } from "./mark-words.ts";

export interface DiffOptions {
  readonly diffWords: WordDiff;
  /** How many lines are shown at most; null: all. */
  readonly maxLines: number | null;
  /** How you see the rest: `^T shows all`. */
  readonly more: string;
}

/** The lines of a file's diff with numbers and colours. In changed lines, the words that differ are marked. */
export function renderDiff(lines: readonly DiffLine[], options: DiffOptions): readonly StyledLine[] {
  const { maxLines } = options;
  const shown = maxLines === null || lines.length <= maxLines + 1 ? lines : lines.slice(0, maxLines);
  const width = String(shown.reduce((most, line) => ("number" in line ? Math.max(most, line.number) : most), 1)).length;
  const marked = findMarkedWords(shown, options.diffWords);
  const rendered = shown.map((line) => renderLine(line, { width, words: marked.get(line) ?? null }));
  const hidden = lines.length - shown.length;
  return hidden === 0 ? rendered : [...rendered, countHidden({ hidden, lost: 0, indent, more: options.more })];
}

/** In front of each line. */
const indent = "  ";
const marks = { same: " ", added: "+", removed: "-" } as const;

interface LineLook {
  readonly width: number;
  readonly words: readonly Span[] | null;
}

function renderLine(line: DiffLine, { width, words }: LineLook): StyledLine {
  switch (line.type) {
    case "gap":
      return { spans: [toSpan(`  ${" ".repeat(width - 1)}⋮`, ["muted"])], wrap: "verbatim" };
    case "note":
      return { spans: [toSpan(`  ${toText(line.text)}`, ["muted"])], wrap: "words" };
    case "same":
    case "added":
    case "removed": {
      const roles: readonly Role[] = line.type === "same" ? [] : [line.type];
      const number = toSpan(`  ${String(line.number).padStart(width)} `, ["muted"]);
      return {
        spans: [number, toSpan(marks[line.type], roles), ...(words ?? toSpans(toText(line.text), roles))],
        wrap: "verbatim",
      };
    }
  }
}

/** Lines are untrusted, so hidden characters in them are escaped. */
function toText(text: string): string {
  return expandTabs(showHidden(text.replace(/\r$/, "")));
}

function toSpans(text: string, roles: readonly Role[]): readonly Span[] {
  return text === "" ? [] : [toSpan(text, roles)];
}

/** Comparing more pairs would delay a frame. */
const maxPairs = 300;

/** Removed lines followed by the same number of added ones count as changed lines. */
function findMarkedWords(lines: readonly DiffLine[], diffWords: WordDiff): ReadonlyMap<DiffLine, readonly Span[]> {
  const marked = new Map<DiffLine, readonly Span[]>();
  let pairs = 0;
  for (let at = 0; at < lines.length && pairs < maxPairs; at += 1) {
    const removed = takeRun(lines, at, "removed");
    if (removed.length === 0) continue;
    const added = takeRun(lines, at + removed.length, "added");
    at += removed.length + added.length - 1;
    if (added.length !== removed.length) continue;
    for (const [index, line] of removed.entries()) {
      const other = added[index];
      if (other === undefined || (pairs += 1) > maxPairs) break;
      const words = markWords(toText(textOf(line)), toText(textOf(other)), diffWords);
      if (words !== null) marked.set(line, words.before).set(other, words.after);
    }
  }
  return marked;
}

function takeRun(lines: readonly DiffLine[], start: number, type: "added" | "removed"): readonly DiffLine[] {
  let end = start;
  while (lines[end]?.type === type) end += 1;
  return lines.slice(start, end);
}

function textOf(line: DiffLine): string {
  return "text" in line ? line.text : "";
}

/** An incomplete diff: its lines as they are, with colours. */
export function renderRawDiff(
  diff: string,
  { maxLines, more }: Pick<DiffOptions, "maxLines" | "more">,
): readonly StyledLine[] {
  const { lines, mark } = readCutLines(diff.replace(/\n$/, ""), null);
  const roles = { "+": ["added"], "-": ["removed"] } as const;
  const rows = lines.map((line): StyledLine => {
    const role = line.startsWith("+") ? roles["+"] : line.startsWith("-") ? roles["-"] : [];
    return { spans: toSpans(`${indent}${toText(line)}`, role), wrap: "verbatim" };
  });
  const detail = maxLines === null ? "whole" : "folded";
  return foldLines(rows, { head: maxLines ?? rows.length, tail: 0, indent, mark }, { detail, more });
}
