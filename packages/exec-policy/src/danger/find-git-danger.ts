import type { ShellWord } from "../command/shell-word.ts";
import { withoutGlobalOptions } from "../command/without-global-options.ts";
import type { Reach } from "../command/judge-context.ts";
import type { Danger } from "./danger.ts";
import { isVitalPath } from "./is-vital-path.ts";

/** Changes that git could not undo; `words` includes the program. Files named one by one are not counted. */
export function findGitDanger(words: readonly ShellWord[], context: Reach): Danger | null {
  const [, subcommand, ...given] = withoutGlobalOptions(words);
  const name = subcommand?.text ?? "";
  const texts = given.map((word) => word.text);
  const extent = takesWholeTree(given, name, context) ? "whole tree" : "named paths";
  const reason = checks.get(name)?.(texts, extent) ?? null;
  return reason === null ? null : { name: `git-${name}`, reason };
}

/** Whether a path stands for the working folder or more. In `checkout` an unknown word is rather a branch. */
function takesWholeTree(words: readonly ShellWord[], subcommand: string, context: Reach): boolean {
  const dashes = words.findIndex((word) => word.text === "--");
  return words.some((word, index) => {
    const isOperand = dashes !== -1 && index > dashes;
    if (!isOperand && word.text.startsWith("-")) return false;
    if (/^:(?:\/?$|[(!^])/.test(word.text)) return true;
    const isPath = isOperand || subcommand !== "checkout" || word.withoutExpansions !== "";
    return isPath && isVitalPath(word, context);
  });
}

type GitExtent = "whole tree" | "named paths";

type GitCheck = (texts: readonly string[], extent: GitExtent) => string | null;

const checks: ReadonlyMap<string, GitCheck> = new Map<string, GitCheck>([
  ["branch", findBranchDanger],
  ["checkout", findCheckoutDanger],
  ["clean", findCleanDanger],
  ["filter-branch", () => "rewrites the history"],
  ["filter-repo", () => "rewrites the history"],
  [
    "gc",
    (texts) => (texts.some((text) => /^--prune=(?:now|all)/.test(text)) ? "drops commits that nothing names" : null),
  ],
  ["prune", () => "drops objects that nothing names"],
  ["push", findPushDanger],
  ["reflog", (texts) => (/^(?:expire|delete)$/.test(texts[0] ?? "") ? "drops the record of lost commits" : null)],
  ["reset", (texts) => (hasOption(texts, "", "hard", "merge") ? "throws changes away that are not committed" : null)],
  ["restore", findRestoreDanger],
  ["rm", findRemovalDanger],
  ["stash", (texts) => (/^(?:drop|clear)$/.test(texts[0] ?? "") ? "throws stashed changes away" : null)],
  ["submodule", (texts) => (texts.includes("deinit") && hasOption(texts, "f", "force") ? "deletes a submodule" : null)],
  ["switch", (texts) => (hasOption(texts, "fC", "force", "discard-changes") ? "throws changes away" : null)],
  ["update-ref", (texts) => (hasOption(texts, "d", "stdin") ? "deletes a reference" : null)],
  ["worktree", (texts) => (texts[0] === "remove" && hasOption(texts, "f", "force") ? "deletes a worktree" : null)],
]);

/** Whether one of the short letters or long names is there; git takes a long name that is cut short, too. */
function hasOption(texts: readonly string[], letters: string, ...names: readonly string[]): boolean {
  return texts.some((text) => {
    if (!text.startsWith("--"))
      return text.startsWith("-") && Array.from(letters).some((letter) => text.includes(letter));
    const given = text.slice(2).split("=", 1)[0] ?? "";
    return given.length > 2 && names.some((name) => name.startsWith(given));
  });
}

function findBranchDanger(texts: readonly string[]): string | null {
  const forces = hasOption(texts, "D", "force") || hasOption(texts, "fM");
  return forces ? "deletes or moves a branch that may not be merged" : null;
}

const losesChanges = "throws changes away that are not committed";

function findCheckoutDanger(texts: readonly string[], extent: GitExtent): string | null {
  const forces = hasOption(texts, "fB", "force", "pathspec-from-file");
  return forces || extent === "whole tree" ? losesChanges : null;
}

/** Without `-x` or `-X` what git ignores stays: settings, data, environments. */
function findCleanDanger(texts: readonly string[]): string | null {
  const takesIgnored = hasOption(texts, "xX") && !hasOption(texts, "n", "dry-run");
  return takesIgnored ? "deletes files that git does not keep" : null;
}

function findPushDanger(texts: readonly string[]): string | null {
  if (texts.some((text) => /^[+:]./.test(text))) return "rewrites or deletes a branch of the remote";
  const forces = hasOption(texts, "fd", "force-with-lease", "mirror", "delete", "prune");
  return forces ? "rewrites or deletes branches of the remote" : null;
}

/** With `--cached` only the index changes. */
function findRemovalDanger(texts: readonly string[], extent: GitExtent): string | null {
  const forces = hasOption(texts, "f", "force") && !hasOption(texts, "", "cached");
  return forces && extent === "whole tree" ? "deletes files whose changes are not committed" : null;
}

/** With `--staged` alone only the index changes. */
function findRestoreDanger(texts: readonly string[], extent: GitExtent): string | null {
  const indexOnly = hasOption(texts, "S", "staged") && !hasOption(texts, "W", "worktree");
  const isWide = extent === "whole tree" || hasOption(texts, "", "pathspec-from-file");
  return isWide && !indexOnly ? losesChanges : null;
}
