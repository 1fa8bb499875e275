/** The options of a viewer that only change what it shows. */
interface PlainOptions {
  /** The short ones, without their dash. */
  readonly letters: RegExp;
  readonly names: ReadonlySet<string>;
}

function plain(letters: RegExp, names: string): PlainOptions {
  return { letters, names: new Set(names.split(" ")) };
}

const bat = plain(
  /^[nprlHAPS]+$/,
  "color decorations file-name highlight-line language line-range number paging plain show-all style tabs theme wrap",
);
const lister = plain(
  /^[1ABDFGHILMORSTUXZabdefghilmnorstuwx]+$/,
  "all color git group-directories-first icons ignore-glob level long sort time-style tree",
);

/** Programs that read, but that no verdict rests on: their settings and keys may run others. */
const viewers: ReadonlyMap<string, PlainOptions> = new Map([
  [
    "ack",
    plain(
      /^[ABCGHLQRcfghilmnorsvwx]+$/,
      "color context count ignore-case ignore-dir ignore-file literal nocolor type word-regexp",
    ),
  ],
  [
    "ag",
    plain(
      /^[ABCGLQSUacfilmnopsuvwz]+$/,
      "after before color context count depth hidden ignore ignore-case ignore-dir literal nocolor path-to-ignore",
    ),
  ],
  ["bat", bat],
  ["batcat", bat],
  ["exa", lister],
  ["eza", lister],
  ["less", plain(/^[EFGIJMNRSXefginpqrsw]+$/, "LINE-NUMBERS RAW-CONTROL-CHARS chop-long-lines pattern")],
  ["more", plain(/^[cdflnpsu]+$/, "lines")],
  ["pt", plain(/^[ABCGLcefilnosvwz]+$/, "color context global hidden ignore nocolor")],
]);

/**
 * Whether a viewer with these arguments only shows what it is given. Any other option counts as one that may write or run
 * something (`--pager`, `-o`), also where it is shortened. Null: not a viewer.
 */
export function judgeViewer(program: string, given: readonly string[]): boolean | null {
  const options = viewers.get(program);
  if (options === undefined) return null;
  return given.every((word) => {
    if (/^\+(?!\d+$|\/)/.test(word)) return false; // a key of a pager
    if (!/^-./.test(word) || word === "--") return true;
    const [, name] = /^--([^=]+)/.exec(word) ?? [];
    return name === undefined ? options.letters.test(word.replace(/^-|[\d:,]+$/g, "")) : options.names.has(name);
  });
}
