import { longNames, type OptionSyntax } from "../option-syntax.ts";
import { diffPatch, diffSummary, forgoesDrivers, logPatch, logSummary, replacesPatch } from "./diff-options.ts";

/** The arguments with which a subcommand only reads. */
export interface GitSubcommand {
  /** Under these nothing of what a repository's settings name is run, whatever they are. Null: none are known. */
  readonly always: OptionSyntax | null;
  /** Under these git may run filters and diff drivers, where the repository's settings name some. */
  readonly withoutDrivers?: OptionSyntax;
  /** A condition on the words for `always`. */
  readonly condition?: (texts: readonly string[]) => boolean;
  /** Under these the words may go beyond `always`, up to `withoutDrivers`. */
  readonly waiver?: (texts: readonly string[]) => boolean;
}

const branchLong: readonly string[] = longNames(
  "abbrev all color column contains format ignore-case list merged no-abbrev no-color no-column no-contains " +
    "no-merged points-at remotes show-current sort verbose",
);

const branchList: GitSubcommand = { always: { flags: "arvi", long: branchLong } };
const tagLong: readonly string[] = longNames("color column contains format merged no-merged points-at sort");
const configGet: GitSubcommand = {
  always: {
    long: longNames(
      "all default fixed-value global includes local name-only null regexp show-origin show-scope system",
    ),
    flags: "z",
    maximumOperands: 1,
  },
};
const configList: GitSubcommand = {
  always: {
    long: longNames("global includes local name-only null show-origin show-scope system"),
    flags: "z",
    maximumOperands: 0,
  },
};
const log: GitSubcommand = { always: logSummary, withoutDrivers: logPatch, waiver: forgoesDrivers };
const isCached = (texts: readonly string[]): boolean => texts.includes("--cached") || texts.includes("--staged");
const describe = "abbrev all always candidates contains exact-match exclude first-parent long match tags";
const lsFilesLong =
  "cached deleted error-unmatch exclude exclude-per-directory exclude-standard full-name ignored others stage " +
  "unmerged";

/**
 * Subcommands that may only read. One has a list of its own if its words alone would change something. Subcommands that compare
 * the working folder with the index (`status`, `diff`, `blame`) read files through the repository's filters.
 */
export const gitSubcommands: ReadonlyMap<string, GitSubcommand> = new Map<string, GitSubcommand>([
  [
    "blame",
    {
      always: null,
      withoutDrivers: { flags: "bcefklMnpstwC", values: "LS", long: longNames("abbrev color-by-age date porcelain") },
    },
  ],
  ["cat-file", { always: { flags: "epst", long: longNames("batch-check batch-all-objects") } }],
  ["check-ignore", { always: { flags: "qvn", long: longNames("no-index verbose non-matching") } }],
  ["count-objects", { always: { flags: "vH", maximumOperands: 0 } }],
  ["describe", { always: { long: longNames(describe) }, withoutDrivers: { long: longNames(`${describe} dirty`) } }],
  [
    "diff",
    {
      always: { ...diffSummary, maximumOperands: 1 },
      withoutDrivers: diffPatch,
      condition: (texts) => isCached(texts) && replacesPatch(texts),
    },
  ],
  ["diff-index", { always: null, withoutDrivers: diffPatch }],
  ["diff-tree", { always: diffSummary, withoutDrivers: diffPatch, waiver: forgoesDrivers }],
  ["for-each-ref", { always: { long: longNames("contains count format merged no-merged points-at sort") } }],
  [
    "grep",
    {
      always: {
        flags: "EFGHILPWachilnopqrvwz",
        values: "ABCefm",
        numbers: true,
        long: longNames(
          "after-context all-match and before-context break cached context count files-with-matches " +
            "files-without-match fixed-strings heading ignore-case invert-match line-number max-count max-depth " +
            "name-only no-color not only-matching or show-function untracked word-regexp",
        ),
      },
    },
  ],
  ["log", log],
  [
    "ls-files",
    {
      always: { flags: "cdosiktuvz", values: "x", long: longNames(lsFilesLong) },
      withoutDrivers: { flags: "cdmosiktuvz", values: "x", long: longNames(`${lsFilesLong} modified`) },
    },
  ],
  ["ls-tree", { always: { flags: "drtlz", long: longNames("abbrev format full-name full-tree long name-only") } }],
  ["merge-base", { always: { flags: "a", long: longNames("all fork-point independent is-ancestor octopus") } }],
  ["name-rev", { always: { long: longNames("always name-only refs tags") } }],
  ["rev-list", log],
  [
    "rev-parse",
    {
      always: {
        flags: "q",
        long: longNames(
          "abbrev-ref absolute-git-dir all git-common-dir git-dir git-path is-bare-repository is-inside-git-dir " +
            "is-inside-work-tree quiet short show-cdup show-prefix show-superproject-working-tree show-toplevel " +
            "symbolic symbolic-full-name verify",
        ),
      },
    },
  ],
  [
    "shortlog",
    { always: { flags: "censw", long: longNames("all email group no-merges numbered since summary until") } },
  ],
  ["show", { ...log, condition: replacesPatch }],
  ["show-ref", { always: { flags: "dhqs", long: longNames("abbrev dereference hash head heads tags verify") } }],
  [
    "status",
    {
      always: null,
      withoutDrivers: {
        flags: "bsuvz",
        long: longNames(
          "ahead-behind branch column ignore-submodules ignored long no-renames porcelain short show-stash " +
            "untracked-files verbose",
        ),
      },
    },
  ],
  ["version", { always: { maximumOperands: 0 } }],
  // Words of these would name what to create or change: none, or only after what makes them a pattern.
  ["branch", { always: { flags: "arvil", long: branchLong, maximumOperands: 0 } }],
  ["branch --contains", branchList],
  ["branch --list", branchList],
  ["branch --merged", branchList],
  ["branch --no-merged", branchList],
  ["config --get", configGet],
  ["config --get-all", configGet],
  ["config --get-regexp", configGet],
  ["config --list", configList],
  ["config get", configGet],
  ["config list", configList],
  ["reflog", { always: { flags: "q", long: longNames("all date format oneline"), maximumOperands: 0, numbers: true } }],
  ["reflog show", log],
  ["remote", { always: { flags: "v", maximumOperands: 0 } }],
  ["remote get-url", { always: { long: longNames("all push") } }],
  ["stash list", log],
  ["stash show", { always: diffSummary, withoutDrivers: diffPatch }],
  ["tag", { always: { flags: "l", long: tagLong, maximumOperands: 0 } }],
  ["tag --list", { always: { values: "n", flags: "i", long: tagLong } }],
  ["worktree list", { always: { flags: "vz", long: longNames("porcelain verbose"), maximumOperands: 0 } }],
]);
