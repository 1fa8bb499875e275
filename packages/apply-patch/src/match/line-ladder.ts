/** A file's lines at one strictness: equal lines have equal numbers. */
interface Rung {
  readonly normalise: (line: string) => string;
  readonly numbers: ReadonlyMap<string, number>;
  readonly file: Int32Array;
}

/** How alike two lines must be, from strict to loose. */
const normalisers: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  foldTypography,
];

/**
 * Finds lines in a file: exact, then without trailing blanks, then without blanks at both ends, then with typographic
 * dashes, quotes and spaces taken as their ASCII ones. Each rung numbers the file's lines once, when it is first
 * needed.
 */
export interface LineLadder {
  readonly lines: readonly string[];
  /**
   * The first index at or after `from` where `wanted` stands, on the strictest rung that has one; with `atEnd` only the
   * last lines of the file count. Null when there is none. O(lines of the file + wanted) on each rung.
   */
  find(wanted: readonly string[], place: Place): number | null;
  /** Where lines equal to `line` on the loosest rung stand, in order. */
  occurrences(line: string): readonly number[];
  /** Whether the file's line at `index` equals `line` on the loosest rung. */
  matches(index: number, line: string): boolean;
}
interface Place {
  readonly from: number;
  readonly atEnd: boolean;
}

export function createLineLadder(lines: readonly string[]): LineLadder {
  const rungs: Rung[] = [];
  const rungAt = (index: number, normalise: Rung["normalise"]) => (rungs[index] ??= createRung(lines, normalise));
  let places: Map<string, number[]> | undefined;
  return {
    lines,
    find(wanted, place) {
      for (const [index, normalise] of normalisers.entries()) {
        const found = findOnRung(rungAt(index, normalise), wanted, place);
        if (found !== null) return found;
      }
      return null;
    },
    occurrences(line) {
      places ??= Map.groupBy(lines.keys(), (index) => foldTypography(lines[index] ?? ""));
      return places.get(foldTypography(line)) ?? [];
    },
    matches: (index, line) => index in lines && foldTypography(lines[index] ?? "") === foldTypography(line),
  };
}

function createRung(lines: readonly string[], normalise: Rung["normalise"]): Rung {
  const numbers = new Map<string, number>();
  const file = Int32Array.from(lines, (line) => {
    const text = normalise(line);
    const number = numbers.get(text) ?? numbers.size;
    if (number === numbers.size) numbers.set(text, number);
    return number;
  });
  return { normalise, numbers, file };
}

function findOnRung(rung: Rung, wanted: readonly string[], { from, atEnd }: Place): number | null {
  const numbers: number[] = [];
  for (const line of wanted) {
    const number = rung.numbers.get(rung.normalise(line));
    if (number === undefined) return null;
    numbers.push(number);
  }
  return findNumbers(rung.file, numbers, atEnd ? Math.max(from, rung.file.length - wanted.length) : from);
}

/** Knuth-Morris-Pratt: one pass, whatever repeats. */
function findNumbers(file: Int32Array, wanted: readonly number[], from: number): number | null {
  const fallback = prefixFunction(wanted);
  let matched = 0;
  for (let index = from; index < file.length && matched < wanted.length; index++) {
    while (matched > 0 && file[index] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (file[index] === wanted[matched]) matched++;
    if (matched === wanted.length) return index - matched + 1;
  }
  return wanted.length === 0 ? from : null;
}

/** For each prefix of `wanted`, the length of its longest proper prefix that is also its suffix. */
function prefixFunction(wanted: readonly number[]): Int32Array {
  const lengths = new Int32Array(wanted.length);
  for (let index = 1, matched = 0; index < wanted.length; index++) {
    while (matched > 0 && wanted[index] !== wanted[matched]) matched = lengths[matched - 1] ?? 0;
    if (wanted[index] === wanted[matched]) matched++;
    lengths[index] = matched;
  }
  return lengths;
}

const folds: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "],
];
const hasTypography = /[\u00A0\u2002-\u2015\u2018-\u201F\u202F\u205F\u2212\u3000]/;

function foldTypography(line: string): string {
  if (!hasTypography.test(line)) return line.trim();
  return folds.reduce((text, [from, to]) => text.replace(from, to), line).trim();
}
