const plainWord = /^[\w@%+=:,./-]+$/;

/** The arguments as a POSIX shell would take them, in one line. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
