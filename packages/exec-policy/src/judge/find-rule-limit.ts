import { baseName } from "../command/program-path.ts";
import type { ShellWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { isLoopVariable, isRoutineVariable } from "../command/variable-power.ts";
import { withoutGlobalOptions } from "../command/without-global-options.ts";
import type { JudgeScope } from "./judge-scope.ts";

/** Why a rule that allows the words of a command does not count for the command as it is run here. */
export interface RuleLimit {
  /** As a clause that follows "it". */
  readonly detail: string;
  /** The variables that the rule would have to name; null where that would not be enough. */
  readonly variables: readonly string[] | null;
}

/** The part of a rule that is held against a command. */
interface RuleReach {
  /** How many words of the command the rule spells out. */
  readonly length: number;
  readonly env: readonly string[];
}

/**
 * A rule allows words. What else decides on what these words run must be plain: the variables that the command gets, and the
 * folder in which it looks for settings and repositories. Null where it is.
 */
export function findRuleLimit(rule: RuleReach, command: SimpleCommand, scope: JudgeScope): RuleLimit | null {
  const { dropsEnvironment, surroundings } = scope;
  const folders = findFolders(rule, command.words);
  if (surroundings.hasUnknownFolder || folders === null) return unknown("may run in a folder that is not known before");
  const usesGit = gitPrograms.test(baseName(command.words[0]?.text ?? ""));
  const outside = surroundings.folders
    .flatMap((folder) => [folder, ...folders.map((path) => (path.startsWith("/") ? path : `${folder}/${path}`))])
    .find((folder) => !scope.isRuleFolder(folder, usesGit));
  if (outside !== undefined) return unknown(`may run in ${outside}`);
  if (dropsEnvironment) return unknown("runs without some of its environment");
  const variables = findForeignVariables(command, scope).filter((name) => !rule.env.includes(name));
  if (variables.length === 0) return null;
  return { detail: `gets ${variables.join(", ")}`, variables };
}

function unknown(detail: string): RuleLimit {
  return { detail, variables: null };
}

/** The variables that a command may get and that a rule must name, in order and once each. */
export function findForeignVariables(
  { assignments }: Pick<SimpleCommand, "assignments">,
  { assignments: outer, surroundings, dialect }: JudgeScope,
): readonly string[] {
  const passed = [...outer, ...surroundings.exported, ...assignments];
  // zsh has lower-case names for its own search path and commands.
  const kept = surroundings.local.filter((name) => dialect === "zsh" || !isLoopVariable(name));
  return [...new Set([...passed, ...kept])].filter((name) => !isRoutineVariable(name));
}

/** Programs that obey the settings of a repository, hooks and file watchers among them. */
const gitPrograms = /^(?:git(?:-.*|k)?|gh|glab|hub|jj|lazygit|tig)$/;

/** Options by which build tools work in another folder, or by a file of another folder. */
const folderOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: "-C --git-dir --work-tree",
    "make gmake ninja": "-C -f --directory --file --makefile",
    "npm pnpm yarn bun": "-C --cwd --dir --prefix",
    "cargo go": "-C --manifest-path",
    just: "-d -f --justfile --working-directory",
    "gradle gradlew mvn": "-p -b -f --build-file --file --project-dir",
  }).flatMap(([programs, options]) => programs.split(" ").map((name) => [name, new Set(options.split(" "))] as const)),
);

/** The folders that options name behind the words of a rule; null where one is only known when the command runs. */
function findFolders({ length }: RuleReach, words: readonly ShellWord[]): readonly string[] | null {
  const name = baseName(words[0]?.text ?? "");
  const options = folderOptions.get(name);
  if (options === undefined) return [];
  // Behind a subcommand of git, `-C` means something else.
  const end = name === "git" ? words.length - withoutGlobalOptions(words).length + 1 : words.length;
  const values = words.slice(0, end).flatMap((word, index) => {
    const next = words[index + 1];
    return listOptions(word.text).flatMap(({ option, value }) => {
      if (!options.has(option)) return [];
      if (value !== "") return index < length ? [] : [{ ...word, text: value }];
      return next === undefined || index + 1 < length ? [] : [next];
    });
  });
  return values.every((word) => word.kind === "static") ? values.map((word) => word.text) : null;
}

interface GivenOption {
  readonly option: string;
  /** Empty: the next word. */
  readonly value: string;
}

/** `--option=value`, and each letter of `-kCvalue`: only the program knows which of them takes one. */
function listOptions(text: string): readonly GivenOption[] {
  const [, long, value = ""] = /^(--[\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (long !== undefined) return [{ option: long, value }];
  const letters = /^-(\w+)/.exec(text)?.[1] ?? "";
  return Array.from(letters, (letter, at) => ({ option: `-${letter}`, value: text.slice(at + 2) }));
}
