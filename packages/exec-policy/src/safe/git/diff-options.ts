import { longNames, type OptionSyntax } from "../option-syntax.ts";

/** Options under which git compares trees, prints names and sizes, and never prints a patch. */
const summaryLong: readonly string[] = longNames(
  "abbrev color color-moved compact-summary diff-algorithm diff-filter dirstat exit-code find-copies find-renames " +
    "full-index histogram ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol " +
    "ignore-space-change ignore-submodules minimal name-only name-status no-color no-ext-diff " +
    "no-indent-heuristic no-patch no-prefix no-renames no-textconv numstat patience quiet raw relative shortstat " +
    "stat stat-count stat-width summary text",
);

/** Options that print or search a patch. For these, git may run a repository's diff drivers. */
const patchLong: readonly string[] = longNames(
  "binary cc check color-words function-context inter-hunk-context patch patch-with-stat pickaxe-all pickaxe-regex " +
    "unified word-diff word-diff-regex",
);

const diffLong: readonly string[] = longNames("cached staged merge-base");

export const diffSummary: OptionSyntax = {
  flags: "abDqRrstwz",
  values: "BClMX",
  long: [...summaryLong, ...diffLong],
};

/** Not `--output`, `--ext-diff`, `--textconv`. */
export const diffPatch: OptionSyntax = {
  flags: "abDpqRrstuwzWEFim",
  values: "BCGlMSUX",
  numbers: true,
  long: [...summaryLong, ...patchLong, ...diffLong, ...longNames("no-index base ours theirs")],
};

const logLong: readonly string[] = longNames(
  "abbrev-commit after all all-match ancestry-path author author-date-order basic-regexp before boundary branches " +
    "cherry cherry-mark cherry-pick children committer count date date-order decorate decorate-refs dense exclude " +
    "extended-regexp first-parent fixed-strings follow format full-diff full-history glob graph grep invert-grep " +
    "left-only left-right log-size max-count max-parents merge merges min-parents no-abbrev-commit no-decorate " +
    "no-max-parents no-merges no-notes no-walk not notes objects oneline parents perl-regexp pretty " +
    "regexp-ignore-case relative-date remotes remove-empty reverse right-only simplify-by-decoration " +
    "simplify-merges since skip source sparse tags topo-order until use-mailmap walk-reflogs",
);

export const logSummary: OptionSyntax = {
  flags: "abDEFgiPqRrstwz",
  values: "BClMnX",
  numbers: true,
  long: [...summaryLong, ...logLong],
};

export const logPatch: OptionSyntax = {
  flags: "abcDEFgimpqRrstuwzWP",
  values: "BCGLlMnSUX",
  numbers: true,
  long: [...summaryLong, ...patchLong, ...logLong],
};

const summarises =
  /^(?:-s|--(?:no-patch|stat|numstat|shortstat|compact-summary|dirstat|name-only|name-status|raw|summary)(?:=.*)?)$/;

/** Whether an option takes the place of the patch that `git show` and `git diff` print by themselves. */
export function replacesPatch(texts: readonly string[]): boolean {
  return texts.some((text) => summarises.test(text));
}

/** Whether options keep every diff driver from running. */
export function forgoesDrivers(texts: readonly string[]): boolean {
  return texts.includes("--no-ext-diff") && texts.includes("--no-textconv");
}
