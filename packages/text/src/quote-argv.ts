/** The arguments as a POSIX shell takes them (XCU 2.2), in one line; a line break in one stays a line break. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

/** One argument as a POSIX shell takes it: as it is where it holds nothing special, else in single quotes. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
