import type { GitSettings } from "../../command/judge-context.ts";
import { type ShellWord, textsOf } from "../../command/shell-word.ts";
import { fitsOptions, mayTakeNext } from "../option-syntax.ts";
import { type ReadGrant, unconditional } from "../read-grant.ts";
import { gitEnvironment } from "./git-environment.ts";
import { type GitSubcommand, gitSubcommands } from "./git-subcommands.ts";

/**
 * Options in front of the subcommand. Not `-c` and `--config-env` (an alias, a hook), `-p` (the pager), nor `--git-dir`,
 * `--work-tree` and `--exec-path`, which take things from places that git would not look at.
 */
const globalOptions: ReadonlySet<string> = new Set([
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
]);

/**
 * Under what a `git` only reads; null where it may do more. `settings` are those of the repository in which it runs; null
 * where they are not known. Elsewhere (`-C`) only what runs nothing under any settings counts.
 */
export function recogniseGitRead(words: readonly ShellWord[], settings: GitSettings | null): ReadGrant | null {
  const start = findSubcommand(words);
  const [name, first] = start === null ? [] : words.slice(start.index, start.index + 2);
  if (start === null || name?.kind !== "static") return null;
  if (/^(?:--version|-v)$/.test(name.text)) return start.index + 1 === words.length ? unconditional : null;
  const nested = first?.kind === "static" ? gitSubcommands.get(`${name.text} ${longForm(first.text)}`) : undefined;
  const subcommand = nested ?? gitSubcommands.get(name.text);
  if (subcommand === undefined) return null;
  const given = words.slice(start.index + (nested === undefined ? 1 : 2));
  if (runsNothing(given, subcommand)) return { environment: gitEnvironment, standsAlone: true, staysHere: false };
  const { withoutDrivers } = subcommand;
  if (withoutDrivers === undefined || start.isElsewhere || !fitsOptions(given, withoutDrivers)) return null;
  if (settings === null || settings.runsPrograms || settings.hasSubmodules) return null;
  return { environment: gitEnvironment, standsAlone: true, staysHere: true };
}

interface SubcommandStart {
  readonly index: number;
  readonly isElsewhere: boolean;
}

function findSubcommand(words: readonly ShellWord[]): SubcommandStart | null {
  let index = 1;
  let isElsewhere = false;
  for (let word = words[index]; word?.kind === "static"; word = words[index]) {
    const goesElsewhere = word.text === "-C";
    if (!goesElsewhere && !globalOptions.has(word.text)) return { index, isElsewhere };
    if (goesElsewhere && words[index + 1]?.kind !== "static") return null;
    isElsewhere ||= goesElsewhere;
    index += goesElsewhere ? 2 : 1;
  }
  return null;
}

function runsNothing(words: readonly ShellWord[], subcommand: GitSubcommand): boolean {
  const { always, condition, waiver, withoutDrivers } = subcommand;
  const end = words.findIndex((word) => word.text === "--");
  const syntax = withoutDrivers ?? always ?? {};
  // A word that may be another option's value does not count as an option, so it prevents nothing.
  const own = words.filter((_, index) => (end === -1 || index < end) && !mayTakeNext(words[index - 1], syntax));
  const options = textsOf(own);
  if (waiver?.(options) === true && withoutDrivers !== undefined) return fitsOptions(words, withoutDrivers);
  return always !== null && condition?.(options) !== false && fitsOptions(words, always);
}

/** `git branch -l`, `git tag -l` and `git config -l`. */
function longForm(text: string): string {
  return text === "-l" ? "--list" : text;
}
