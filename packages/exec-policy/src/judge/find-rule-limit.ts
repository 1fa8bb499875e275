import { baseName } from "../command/program-path.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { isLoopVariable, isRoutineVariable } from "../command/variable-power.ts";
import { findOptionFolders } from "./find-option-folders.ts";
import { findWordVariables } from "./find-word-variables.ts";
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
 * A rule allows words. Everything else that decides what these words run must be plain: the
 * command's variables, and the folder in which it looks for settings and repositories. Null: it is.
 */
export function findRuleLimit(rule: RuleReach, command: SimpleCommand, scope: JudgeScope): RuleLimit | null {
  const { dropsEnvironment, surroundings } = scope;
  const folders = findOptionFolders(command.words, rule.length);
  if (surroundings.hasUnknownFolder) return unknown("may run in a folder that is not known before");
  if (folders === null) return unknown("may be given an option or a folder that is not known before");
  const usesGit = gitPrograms.test(baseName(command.words[0]?.text ?? ""));
  const outside = surroundings.folders
    .flatMap((folder) => [folder, ...folders.map((path) => (path.startsWith("/") ? path : `${folder}/${path}`))])
    .find((folder) => !scope.isRuleFolder(folder, usesGit));
  if (outside !== undefined) return unknown(`may run in ${outside}`);
  if (dropsEnvironment) return unknown("runs without some of its environment");
  if (surroundings.hasUnknownVariable) return unknown("may get variables that are not known before");
  const given = findWordVariables(command.words, rule.length);
  if (given === null) return unknown("may be given code to run");
  const foreign = [...findForeignVariables(command, scope), ...given];
  const variables = [...new Set(foreign)].filter((name) => !rule.env.includes(name));
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
