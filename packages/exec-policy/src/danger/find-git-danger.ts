import type { ShellWord } from "../shell/shell-word.ts";
import type { Danger } from "./danger.ts";

/** Options in front of the subcommand that take the next word. */
const globalValues: ReadonlySet<string> = new Set([
  "-c",
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
  "--super-prefix",
]);

/** What git could not bring back. `words` starts after `git`. */
export function findGitDanger(words: readonly ShellWord[]): Danger | null {
  let index = 0;
  for (let word = words[index]; word?.text.startsWith("-") === true; word = words[index]) {
    index += globalValues.has(word.text) ? 2 : 1;
  }
  const subcommand = words[index];
  const texts = words.slice(index + 1).map((word) => word.text);
  const reason = subcommand === undefined ? null : (checks.get(subcommand.text)?.(texts) ?? null);
  return reason === null ? null : { name: `git-${subcommand?.text ?? ""}`, reason };
}

const checks: ReadonlyMap<string, (texts: readonly string[]) => string | null> = new Map([
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
  ["rm", (texts) => (hasOption(texts, "f", "force") ? "deletes files whose changes are not committed" : null)],
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

function findCheckoutDanger(texts: readonly string[]): string | null {
  const takesFiles = texts.includes("--") && texts.indexOf("--") < texts.length - 1;
  const takesAll = texts.some((text) => /^(?:\.\/?|:\/?|\*|:\(.*)$/.test(text));
  const forces = hasOption(texts, "fB", "force", "pathspec-from-file");
  return takesFiles || takesAll || forces ? "throws changes away that are not committed" : null;
}

function findCleanDanger(texts: readonly string[]): string | null {
  return hasOption(texts, "n", "dry-run") ? null : "deletes files that git does not keep";
}

function findPushDanger(texts: readonly string[]): string | null {
  if (texts.some((text) => /^[+:]./.test(text))) return "rewrites or deletes a branch of the remote";
  const forces = hasOption(texts, "fd", "force-with-lease", "mirror", "delete", "prune");
  return forces ? "rewrites or deletes branches of the remote" : null;
}

/** With `--staged` alone only the index changes. */
function findRestoreDanger(texts: readonly string[]): string | null {
  const indexOnly = hasOption(texts, "S", "staged") && !hasOption(texts, "W", "worktree");
  return indexOnly ? null : "throws changes away that are not committed";
}
