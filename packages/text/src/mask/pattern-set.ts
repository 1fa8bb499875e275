/** Finds many texts in a text in one pass. */
export interface PatternSet<Pattern extends { readonly text: string }> {
  search(text: string, end: TextEnd): PatternSearch<Pattern>;
}

/** The first place from `from` on; of the patterns that begin there the longest. Null: there is none. To be asked for places in order. */
export type PatternSearch<Pattern> = (from: number) => FoundPattern<Pattern> | null;

/** Whether the text ends there, or unknown text may follow. */
export type TextEnd = "last" | "open";

export interface FoundPattern<Pattern> {
  readonly start: number;
  /** Null: the text ends before it is known which one it is, or whether it is one. Only where the end is open. */
  readonly pattern: Pattern | null;
}

/** This many characters decide whether a pattern may be near. */
const blockLength = 3;
/**
 * Size of the tables in entries: as many as the patterns' blocks need, because each open thread has some tables. Powers
 * of two.
 */
const [leastTable, mostTable] = [4096, 65_536];
const entriesOfBlock = 8;
/** Shifts are kept as bytes; a longer look ahead gains little. */
const maxWidth = 64;

/**
 * Each pattern has 3 characters or more. Looks at a block of three characters and skips as far as no pattern can begin
 * (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994): ordinary text costs about one look in as many
 * characters as the shortest pattern has.
 */
export function createPatternSet<Pattern extends { readonly text: string }>(
  patterns: readonly Pattern[],
): PatternSet<Pattern> {
  if (patterns.length === 0) return { search: () => () => null };
  const longestFirst = patterns.toSorted((one, other) => other.text.length - one.text.length);
  const width = Math.min(longestFirst.at(-1)?.text.length ?? 0, maxWidth);
  const last = toTableSize(patterns.length * width) - 1;
  const shifts = createShifts(longestFirst, width, last);
  const byBlock = Map.groupBy(longestFirst, ({ text }) => hashBlock(text, width - blockLength, last));
  const starts = new Uint8Array(last + 1);
  for (const { text } of longestFirst) starts[hashBlock(text, 0, last)] = 1;

  /** The text from `from` on is shorter than any pattern. */
  function findOpen(text: string, from: number): FoundPattern<Pattern> | null {
    for (let at = from; at < text.length; at += 1) {
      const isFar = at <= text.length - blockLength && starts[hashBlock(text, at, last)] === 0;
      if (!isFar && longestFirst.some((pattern) => isStartOf(pattern.text, text, at))) {
        return { start: at, pattern: null };
      }
    }
    return null;
  }

  return {
    search: (text, end) => (from) => {
      const lastAt = text.length - width;
      let at = from;
      while (at <= lastAt) {
        const hash = hashBlock(text, at + width - blockLength, last);
        const shift = shifts[hash] ?? 0;
        if (shift > 0) {
          at += shift;
          continue;
        }
        const found = matchAt(byBlock.get(hash) ?? [], { text, at, end });
        if (found) return found;
        at += 1;
      }
      return end === "open" ? findOpen(text, at) : null;
    },
  };
}

/** How far the next pattern can begin behind a place, by the block that ends `width` characters behind it. */
function createShifts(patterns: readonly { readonly text: string }[], width: number, last: number): Uint8Array {
  const shifts = new Uint8Array(last + 1).fill(width - blockLength + 1);
  for (const { text } of patterns) {
    for (let end = blockLength; end <= width; end += 1) {
      const hash = hashBlock(text, end - blockLength, last);
      shifts[hash] = Math.min(shifts[hash] ?? 0, width - end);
    }
  }
  return shifts;
}

/** From 0 to `last`, which is one less than a power of two. */
function hashBlock(text: string, at: number, last: number): number {
  return ((text.charCodeAt(at) * 2657) ^ (text.charCodeAt(at + 1) * 107) ^ text.charCodeAt(at + 2)) & last;
}

function toTableSize(blocks: number): number {
  const wanted = 2 ** Math.ceil(Math.log2(blocks * entriesOfBlock));
  return Math.min(Math.max(wanted, leastTable), mostTable);
}

function matchAt<Pattern extends { readonly text: string }>(
  longestFirst: readonly Pattern[],
  { text, at, end }: { readonly text: string; readonly at: number; readonly end: TextEnd },
): FoundPattern<Pattern> | null {
  for (const pattern of longestFirst) {
    if (text.startsWith(pattern.text, at)) return { start: at, pattern };
    const isCut = end === "open" && pattern.text.length > text.length - at;
    if (isCut && isStartOf(pattern.text, text, at)) return { start: at, pattern: null };
  }
  return null;
}

/** Whether the end of a text, from `at` on, begins a longer one. Makes no string of it: this is asked for each piece. */
function isStartOf(whole: string, text: string, at: number): boolean {
  for (let index = at; index < text.length; index += 1) {
    if (text.charCodeAt(index) !== whole.charCodeAt(index - at)) return false;
  }
  return true;
}
