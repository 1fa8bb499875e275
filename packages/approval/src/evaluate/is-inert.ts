const builtins: ReadonlySet<string> = new Set(
  ": [ cd echo exit export false popd printf pushd set test true".split(" "),
);
const filters: ReadonlySet<string> = new Set("cat column cut fold head nl rev sort tac tail tr uniq wc".split(" "));

/**
 * Whether a command that only reads does not even open a file: a builtin, or a filter at the end of a pipe (`head -5`,
 * `grep foo`). It matters no more outside the sandbox than inside.
 */
export function isInert(argv: readonly string[]): boolean {
  const [program = "", ...rest] = argv;
  if (builtins.has(program)) return true;
  const operands = rest.filter((word) => !/^(?:-[\w=,+-]*|\+?\d+)$/.test(word));
  if (program === "grep") return operands.length === 1 && rest.every((word) => /^-[ivEFwxocnq]+$|^[^-]/.test(word));
  return filters.has(program) && operands.length === 0;
}
