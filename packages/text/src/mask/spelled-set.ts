import {
  createPatternSet,
  type FoundPattern,
  type PatternSearch,
  type PatternSet,
  type TextEnd,
} from "./pattern-set.ts";
import { type Escape, escapeCharacters, escapeMarks, readEscapes } from "./read-escapes.ts";

/** The pattern as it was found, with escapes. */
type ToWritten<Pattern> = (pattern: Pattern, written: string) => Pattern;

/**
 * As `createPatternSet`, and finds each pattern also if any of its characters are escaped, in any mixture of `readEscapes`.
 * Most text has no escape of a character that patterns have, and costs little more. Around such an escape, up to the next blank
 * or other character that no pattern has, patterns are searched character by character.
 */
export function createSpelledSet<Pattern extends { readonly text: string }>(
  patterns: readonly Pattern[],
  toWritten: ToWritten<Pattern>,
): PatternSet<Pattern> {
  const exact = createPatternSet(patterns);
  const spelled = createSpelledSearch(patterns, toWritten);
  return {
    search(text, end) {
      const exactly = remember(exact.search(text, end));
      const otherwise = remember(spelled(text, end));
      return (from) => toFirst(exactly(from), otherwise(from));
    },
  };
}

/** Places are asked for in order, and what was found behind them is still the next. */
function remember<Pattern>(find: PatternSearch<Pattern>): PatternSearch<Pattern> {
  let known: { readonly found: FoundPattern<Pattern> | null } | null = null;
  return (from) => {
    if (known === null || (known.found !== null && known.found.start < from)) known = { found: find(from) };
    return known.found;
  };
}

/** The earlier one; at one place the longer one, where one that is not known yet may become longer. */
function toFirst<Pattern extends { readonly text: string }>(
  one: FoundPattern<Pattern> | null,
  other: FoundPattern<Pattern> | null,
): FoundPattern<Pattern> | null {
  if (one === null || other === null) return one ?? other;
  if (one.start !== other.start) return one.start < other.start ? one : other;
  if (one.pattern === null || other.pattern === null) return { start: one.start, pattern: null };
  return one.pattern.text.length < other.pattern.text.length ? other : one;
}

/** Finds patterns that have an escape. Others it may find, too. */
function createSpelledSearch<Pattern extends { readonly text: string }>(
  patterns: readonly Pattern[],
  toWritten: ToWritten<Pattern>,
): PatternSet<Pattern>["search"] {
  const byFirst = Map.groupBy(patterns, ({ text }) => text.charCodeAt(0));
  const units = new Set(patterns.flatMap(({ text }) => text.split("")));
  const marks = escapeMarks.filter(({ means }) => means === null || units.has(means)).map(({ mark }) => mark);
  const parts = new Set([...units, ...escapeCharacters.split("")]);

  /** The escapes of characters that patterns have; `cut`: there may be one. */
  function readKnown(text: string, at: number, end: TextEnd): readonly (Escape | "cut")[] {
    if (!marks.includes(text.charAt(at))) return [];
    const reads = readEscapes(text, at);
    return reads.filter((read) => (read === "cut" ? end === "open" : isKnown(read, units)));
  }

  function matchAt(text: string, at: number, end: TextEnd): FoundPattern<Pattern> | null {
    let [longest, found]: [number, Pattern | null] = [at, null];
    const reads = readKnown(text, at, end);
    if (reads.includes("cut")) return { start: at, pattern: null };
    const firsts = [text.charCodeAt(at), ...reads.map((read) => (read === "cut" ? 0 : read.text.charCodeAt(0)))];
    for (const first of firsts) {
      for (const pattern of byFirst.get(first) ?? []) {
        if (reads.length === 0 && !mayFollow(text, at + 1, pattern.text)) continue;
        const { stop, isCut } = findStop(pattern.text, text, at);
        if (isCut && end === "open") return { start: at, pattern: null };
        if (stop > longest) [longest, found] = [stop, pattern];
      }
    }
    return found && { start: at, pattern: toWritten(found, text.slice(at, longest)) };
  }

  function mayFollow(text: string, at: number, pattern: string): boolean {
    return text.charCodeAt(at) === pattern.charCodeAt(1) || marks.includes(text.charAt(at));
  }

  return (text, end) => {
    const findMark = createMarkSearch(text, marks);
    return (from) => {
      let at = from;
      for (let mark = findMark(at); mark !== null; mark = findMark(Math.max(at, mark + 1))) {
        if (readKnown(text, mark, end).length === 0) continue;
        let start = mark;
        while (start > at && parts.has(text.charAt(start - 1))) start -= 1;
        for (at = start; at <= mark; at += 1) {
          const found = matchAt(text, at, end);
          if (found) return found;
        }
      }
      return null;
    };
  };
}

/** A line end may have a carriage return in front, which may be escaped, too. */
function isKnown({ text }: Escape, units: ReadonlySet<string>): boolean {
  return units.has(text.charAt(0)) || (text === "\r" && units.has("\n"));
}

/** Finds the first of some characters from a place on; places are asked for in order. Null: there is none. */
function createMarkSearch(text: string, marks: readonly string[]): (from: number) => number | null {
  const next = marks.map(() => -1);
  return (from) => {
    let first = Infinity;
    for (const [index, mark] of marks.entries()) {
      let at = next[index] ?? Infinity;
      if (at < from) {
        const found = text.indexOf(mark, from);
        at = found < 0 ? Infinity : found;
        next[index] = at;
      }
      first = Math.min(first, at);
    }
    return first === Infinity ? null : first;
  };
}

/** How far a match came: in the pattern, and in the text. */
type Progress = readonly [known: number, at: number];

/** Where a pattern that begins at a place stops, as late as it can; where it begins: it is not there. `isCut`: the text ends within it. */
function findStop(pattern: string, text: string, start: number): { readonly stop: number; readonly isCut: boolean } {
  let [stop, isCut] = [start, false];
  const seen = new Set<number>();
  const pending: Progress[] = [[0, start]];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    let [known, at] = state;
    while (known < pattern.length && at < text.length) {
      const reads = readEscapes(text, at);
      const key = at * (pattern.length + 1) + known;
      if (reads.length > 0 && seen.has(key)) break;
      if (reads.length > 0) seen.add(key);
      isCut ||= reads.includes("cut");
      for (const read of reads) pending.push(...follow(pattern, known, read));
      if (text.charCodeAt(at) !== pattern.charCodeAt(known)) break;
      [known, at] = [known + 1, at + 1];
    }
    if (known === pattern.length) stop = Math.max(stop, at);
    else isCut ||= at >= text.length;
  }
  return { stop, isCut };
}

function follow(pattern: string, known: number, read: Escape | "cut"): readonly Progress[] {
  if (read === "cut") return [];
  if (pattern.startsWith(read.text, known)) return [[known + read.text.length, read.end]];
  return read.text === "\r" && pattern.charAt(known) === "\n" ? [[known, read.end]] : [];
}
