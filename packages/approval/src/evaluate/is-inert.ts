import type { PartVerdict } from "@unroll/exec-policy";

/** None of their words is a file that they open. */
const plainPrograms: ReadonlySet<string> = new Set(
  ": [ cd echo exit export false popd printf pushd set test tr true".split(" "),
);

/** Filters with their short options that may have the next word for their value. */
const filters: ReadonlyMap<string, string> = new Map([
  ["cat", ""],
  ["column", "c"],
  ["cut", "bcf"],
  ["fold", "w"],
  ["head", "cn"],
  ["nl", "ilvw"],
  ["rev", ""],
  ["sort", "k"],
  ["tac", ""],
  ["tail", "cn"],
  ["uniq", "fsw"],
  ["wc", ""],
]);

/** Long options of filters that name no file, with a value behind `=` or without. */
const longOptions: ReadonlySet<string> = new Set(
  (
    "bytes characters chars complement count delimiter field-separator fields human-numeric-sort ignore-case key lines " +
    "max-line-length number number-nonblank numeric-sort only-delimited output-delimiter quiet repeated reverse show-all " +
    "show-ends show-tabs silent skip-chars skip-fields spaces squeeze-blank stable table unique version-sort width words " +
    "zero-terminated"
  ).split(" "),
);

/**
 * Whether a part of a line that only reads does not even open a file: a builtin, or a filter at the end of a pipe (`head -5`,
 * `grep foo`). It matters no more outside the sandbox than inside.
 */
export function isInert({ argv, opensFile }: PartVerdict): boolean {
  const [program = "", ...rest] = argv;
  if (opensFile) return false;
  if (plainPrograms.has(program)) return true;
  if (program === "grep") {
    const words = rest.filter((word) => !/^-[ivEFwxocnq]+$/.test(word));
    return words.length === 1 && words.every((word) => !word.startsWith("-"));
  }
  const values = filters.get(program);
  return values !== undefined && rest.every((word, index) => isOption(word) || isValue(word, rest[index - 1], values));
}

/** An option that is known, or letters whose values are numbers or signs: no path. */
function isOption(word: string): boolean {
  const long = /^--([a-z-]+)(?:=[\w,.+-]*)?$/.exec(word)?.[1];
  return long === undefined ? /^-(?:\w[\w=,+-]*)?$/.test(word) : longOptions.has(long);
}

/** The number behind `-n`; any other number is the name of a file. */
function isValue(word: string, option: string | undefined, letters: string): boolean {
  const letter = /^-[a-z]*([a-z])$/.exec(option ?? "")?.[1];
  return letter !== undefined && letters.includes(letter) && /^\+?\d+(?:[,-]\d*)*$/.test(word);
}
