import type { ShellWord } from "../shell/shell-word.ts";
import { fitsOptions, longNames, type OptionSyntax } from "./option-syntax.ts";

/**
 * Options in front of the subcommand. Not `-c` and `--config-env` (a pager, a hook, an alias), `-p` (the pager), nor
 * `-C`, `--git-dir`, `--work-tree`, `--exec-path`, which point git at other settings.
 */
const globalOptions: ReadonlySet<string> = new Set([
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
]);

/** What log, show and diff share. Not `--output`, `--ext-diff`, `--textconv`. */
const diffLong: readonly string[] = longNames(
  "abbrev binary check color color-moved color-words compact-summary cc diff-algorithm diff-filter dirstat " +
    "exit-code find-copies find-renames full-index function-context histogram ignore-all-space " +
    "ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-submodules " +
    "inter-hunk-context merge-base minimal name-only name-status no-color no-ext-diff no-indent-heuristic " +
    "no-patch no-prefix no-renames no-textconv numstat patch patch-with-stat patience pickaxe-all pickaxe-regex " +
    "quiet raw relative shortstat stat stat-count stat-width submodule summary text unified word-diff " +
    "word-diff-regex",
);

const diffSyntax: OptionSyntax = {
  flags: "abpqRrstuwzWEFim",
  values: "BCDGlMSUX",
  numbers: true,
  long: [...diffLong, ...longNames("cached staged no-index base ours theirs")],
};

const logSyntax: OptionSyntax = {
  flags: "abcEFgimpqRrstuwzWP",
  values: "BCDGLlMnSUX",
  numbers: true,
  long: [
    ...diffLong,
    ...longNames(
      "abbrev-commit after all all-match ancestry-path author author-date-order basic-regexp before boundary " +
        "branches cherry cherry-mark cherry-pick children committer count date date-order decorate decorate-refs " +
        "dense exclude extended-regexp first-parent fixed-strings follow format full-diff full-history glob graph " +
        "grep invert-grep left-only left-right log-size max-count max-parents merge merges min-parents " +
        "no-abbrev-commit no-decorate no-max-parents no-merges no-notes no-walk not notes objects oneline parents " +
        "perl-regexp pretty regexp-ignore-case relative-date remotes remove-empty reverse right-only " +
        "simplify-by-decoration simplify-merges since skip source sparse stdin tags topo-order until use-mailmap " +
        "walk-reflogs",
    ),
  ],
};

const branchLong: readonly string[] = longNames(
  "abbrev all color column contains format ignore-case list merged no-abbrev no-color no-column no-contains " +
    "no-merged points-at remotes show-current sort verbose",
);

const branchListSyntax: OptionSyntax = { flags: "arvi", long: branchLong };

/** Subcommands with the arguments that only read. A list of its own where words alone would change something. */
const subcommands: ReadonlyMap<string, OptionSyntax> = new Map<string, OptionSyntax>([
  ["blame", { flags: "bcefklMnpstwC", values: "LS", long: longNames("abbrev color-by-age date porcelain") }],
  ["cat-file", { flags: "epst", long: longNames("batch-check batch-all-objects") }],
  ["check-ignore", { flags: "qvn", long: longNames("no-index verbose non-matching") }],
  ["count-objects", { flags: "vH", maximumOperands: 0 }],
  ["describe", { long: longNames("abbrev all always dirty exact-match long match tags") }],
  ["diff", diffSyntax],
  ["diff-index", diffSyntax],
  ["diff-tree", diffSyntax],
  ["for-each-ref", { long: longNames("contains count format merged no-merged points-at sort") }],
  [
    "grep",
    {
      flags: "EFGHILPWachilnopqrvwz",
      values: "ABCefm",
      numbers: true,
      long: longNames(
        "all-match and break cached count files-with-matches heading ignore-case invert-match line-number " +
          "max-depth name-only no-color not only-matching or show-function untracked word-regexp",
      ),
    },
  ],
  ["log", logSyntax],
  [
    "ls-files",
    {
      flags: "cdmosiktuvz",
      values: "x",
      long: longNames(
        "cached deleted error-unmatch exclude exclude-standard full-name ignored modified others stage " + "unmerged",
      ),
    },
  ],
  ["ls-tree", { flags: "drtlz", long: longNames("abbrev format full-name full-tree name-only") }],
  ["merge-base", { flags: "a", long: longNames("all fork-point independent is-ancestor octopus") }],
  ["name-rev", { long: longNames("always name-only refs tags") }],
  ["rev-list", logSyntax],
  [
    "rev-parse",
    {
      flags: "q",
      long: longNames(
        "abbrev-ref absolute-git-dir all git-common-dir git-dir git-path is-bare-repository is-inside-git-dir " +
          "is-inside-work-tree quiet short show-cdup show-prefix show-superproject-working-tree show-toplevel " +
          "symbolic symbolic-full-name verify",
      ),
    },
  ],
  ["shortlog", { flags: "censw", long: longNames("all email group no-merges numbered summary") }],
  ["show", logSyntax],
  ["show-ref", { flags: "dhqs", long: longNames("abbrev dereference hash head heads tags verify") }],
  [
    "status",
    {
      flags: "bsuvz",
      long: longNames(
        "ahead-behind branch column ignore-submodules ignored long no-renames porcelain short show-stash " +
          "untracked-files verbose",
      ),
    },
  ],
  ["version", { maximumOperands: 0 }],
  ["whatchanged", logSyntax],
  // Words of these would name what to create or change: none, or only after what makes them a pattern.
  ["branch", { flags: "arvil", long: branchLong, maximumOperands: 0 }],
  ["branch --contains", branchListSyntax],
  ["branch --list", branchListSyntax],
  ["branch --merged", branchListSyntax],
  ["branch --no-merged", branchListSyntax],
  ["config --get", { maximumOperands: 1 }],
  ["config --list", { long: longNames("global local show-origin show-scope system"), maximumOperands: 0 }],
  ["config get", { maximumOperands: 1 }],
  ["config list", { maximumOperands: 0 }],
  ["reflog", { flags: "q", long: longNames("all date format oneline"), maximumOperands: 0, numbers: true }],
  ["reflog show", logSyntax],
  ["remote", { flags: "v", maximumOperands: 0 }],
  ["remote get-url", { long: longNames("all push") }],
  ["stash list", logSyntax],
  ["stash show", diffSyntax],
  ["submodule status", { long: longNames("cached recursive") }],
  ["tag", { flags: "l", long: longNames("color column format merged sort"), maximumOperands: 0 }],
  ["tag --list", { values: "n", long: longNames("color column format merged sort") }],
  ["worktree list", { flags: "vz", long: longNames("porcelain verbose"), maximumOperands: 0 }],
]);

/** Whether a `git` only reads. Its settings (pager, fsmonitor, textconv) are the sandbox's to protect. */
export function isSafeGit(words: readonly ShellWord[]): boolean {
  const start = words.findIndex((word, index) => index > 0 && !globalOptions.has(word.text));
  if (start === -1) return false;
  const [name, first] = words.slice(start, start + 2);
  if (name?.kind !== "static") return false;
  if (name.text === "--version") return true;
  const second = first?.kind === "static" ? subcommands.get(`${name.text} ${longForm(first.text)}`) : undefined;
  if (second !== undefined) return fitsOptions(words.slice(start + 2), second);
  const syntax = subcommands.get(name.text);
  return syntax !== undefined && fitsOptions(words.slice(start + 1), syntax);
}

/** `git branch -l` and `git tag -l` take their words as patterns. */
function longForm(text: string): string {
  return text === "-l" ? "--list" : text;
}
