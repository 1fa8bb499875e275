import { baseName } from "../command/program-path.ts";
import { type ShellWord, toStaticWord, toStaticWords } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand, type VariableValue } from "../command/simple-command.ts";
import {
  holdsOptions,
  isComputedVariable,
  isLoopVariable,
  isRoutineVariable,
  namesProgram,
} from "../command/variable-power.ts";
import { interpreter, namingWords } from "../prefix/prefix-shapes.ts";
import { matchRule } from "../rules/match-rule.ts";
import type { PrefixRule, RuleSet } from "../rules/rule-set.ts";
import { recogniseRead } from "../safe/recognise-read.ts";
import {
  listGivenTexts,
  listMarkedCommands,
  listMentionedCommands,
  listPossibleCommands,
} from "../wrapper/list-possible-commands.ts";
import type { Unwrapped } from "../wrapper/unwrapped.ts";
import { type JudgeScope, maximumDepth } from "./judge-scope.ts";
import { mayEvaluate } from "./may-evaluate.ts";
import type { DecisionSource } from "./verdict.ts";

/**
 * The rule that stops what a command may run in hiding: a program that nobody knows may run any of its words (`prlimit rm`), a
 * variable may name a program (`EDITOR=rm`), and a builtin may evaluate what a variable holds (`let x`). Commands that only
 * read run nothing. The words of wrappers are not looked at: what these run is known.
 */
export function findHiddenRestriction(
  command: SimpleCommand,
  unwrapped: Unwrapped | null,
  scope: JudgeScope,
): readonly DecisionSource[] {
  const stopping = listStoppingRules(scope.rules);
  const [strictest] = stopping;
  if (strictest === undefined) return [];
  const { words, assignments } = command;
  const isTooDeep = unwrapped !== null && scope.depth === maximumDepth;
  const isOpen = isTooDeep || mayEvaluate(words) || [...scope.assignments, ...assignments].some(namesProgram);
  if (isOpen || command.values.some(isOpenValue)) return [{ type: "rule.suspected", rule: strictest }];
  const names = new Set(stopping.flatMap(({ pattern: [programs = []] }) => programs.map(toName)));
  const mayRun: IsWanted = (word) => mayBeNamed(word, names);
  const find = (possible: readonly SimpleCommand[]): readonly DecisionSource[] => {
    return findNamed(
      possible.filter(({ words: [word] }) => word !== undefined && mayRun(word)),
      stopping,
      scope,
    );
  };
  const set = find(listSetCommands(command, mayRun));
  if (set.length > 0 || unwrapped !== null || recogniseRead(words, scope.git) !== null) return set;
  if (scope.surroundings.exported.some(namesProgram) || mayTakeProgram(words)) {
    return [{ type: "rule.suspected", rule: strictest }];
  }
  if (takesNames(words)) return [];
  return find([...listPossibleCommands(words.slice(1)), ...listMentioned(command, stopping, mayRun)]);
}

/** A cheap look at the program before a command is made of it and compared with rules: a text may have thousands of words. */
type IsWanted = (program: ShellWord) => boolean;

/** The rules that prompt or forbid, the strictest first. */
export function listStoppingRules({ prefixRules }: RuleSet): readonly PrefixRule[] {
  return prefixRules
    .filter(({ decision }) => decision !== "allow")
    .toSorted((a, b) => Number(b.decision === "forbidden") - Number(a.decision === "forbidden"));
}

function findNamed(
  possible: readonly SimpleCommand[],
  stopping: readonly PrefixRule[],
  { rules, surroundings: { home } }: JudgeScope,
): readonly DecisionSource[] {
  const rule = stopping.find((each) => possible.some(({ words }) => matchRule(each, words, { rules, home }) !== null));
  return rule === undefined ? [] : [{ type: "rule.suspected", rule }];
}

function mayBeNamed({ kind, text }: ShellWord, names: ReadonlySet<string>): boolean {
  const name = toName(text);
  return kind !== "static" || names.has(name) || (name.startsWith("git-") && names.has("git"));
}

function toName(program: string): string {
  return baseName(program).toLowerCase();
}

/** Options for other programs that only the run tells, and arithmetic. */
function isOpenValue({ name, value }: VariableValue): boolean {
  if (isComputedVariable(name)) return value.kind !== "static" || !/^\d+$/.test(value.text);
  return holdsOptions(name) && value.kind !== "static";
}

/**
 * Commands that variables are set to. A variable that stays in the shell counts if it is a command, or has one where a shell looks
 * for it; any other if its value names the program at all.
 */
function listSetCommands({ words, values }: SimpleCommand, mayRun: IsWanted): readonly SimpleCommand[] {
  const isDeclared = declarations.has(words[0]?.text ?? "");
  const declared = isDeclared ? words.slice(1).flatMap(toDeclared) : [];
  return [...values, ...declared].flatMap(({ name, value: { text } }) => {
    if (isRoutineVariable(name)) return [];
    const stays = words.length === 0 && isLoopVariable(name);
    const texts = [...new Set([text, text.replaceAll(/["'\\]/g, "")])];
    if (stays) return texts.flatMap((each) => listMarkedCommands(each));
    const options = listPossibleCommands(toStaticWords(text.split(/\s+/)));
    return [...options, ...texts.flatMap((each) => listMentionedCommands(each, mayRun))];
  });
}

const declarations: ReadonlySet<string> = new Set("declare export local readonly typeset".split(" "));

function toDeclared(word: ShellWord): readonly VariableValue[] {
  const [, name, text] = /^(\w+)\+?=(.*)$/s.exec(word.text) ?? [];
  return name === undefined || text === undefined ? [] : [{ name, value: { ...word, text } }];
}

/** Whether a word that only the run tells is a program that the command runs or names. */
function mayTakeProgram([program, ...given]: readonly ShellWord[]): boolean {
  if (!takingCommands.has(baseName(program?.text ?? ""))) return false;
  return given.some(({ kind, head }) => kind === "dynamic" || head.endsWith("="));
}

/** Whether the words of a command are names and prose: `git commit`, `npm install`. */
export function takesNames([program, first]: readonly ShellWord[]): boolean {
  const name = baseName(program?.text ?? "");
  return namingWords.has(name) && !name.endsWith("x") && nameTaking.has(first?.text ?? "");
}

/**
 * Commands that the code of an interpreter names (`python3 -c`), and those in words that are only known at run time and may be
 * a program: `cp $(which rm) x`, `cp /bin/r[m] x`.
 */
function listMentioned(
  command: SimpleCommand,
  stopping: readonly PrefixRule[],
  mayRun: IsWanted,
): readonly SimpleCommand[] {
  const [program, ...given] = command.words;
  const name = baseName(program?.text ?? "");
  if (interpreter.test(name) || takesCode.test(name))
    return [...given, ...listGivenTexts(command)].flatMap(({ text }) => listCodeCommands(text, mayRun));
  const programs = stopping.flatMap(({ pattern: [names = []] }) => names.map(baseName));
  return given.flatMap(({ kind, text }, index) => {
    if (kind === "static") return [];
    const meant = programs.filter((each) => mayStandFor(text, each)).map(toStaticWord);
    const named = meant.map((word) => toSimpleCommand([word, ...given.slice(index + 1)]));
    return [...named, ...listCodeCommands(listExpansions(text), mayRun)];
  });
}

/** `s/x/rm/e` and `\nrm` have a program between signs that elsewhere belong to a name. */
function listCodeCommands(code: string, mayRun: IsWanted): readonly SimpleCommand[] {
  const split = code.replaceAll(/\\[a-z]|\//g, " ");
  return [code, ...(split === code ? [] : [split])].flatMap((text) => listMentionedCommands(text, mayRun));
}

/** Whether a pattern of files may be a path of a program; brackets may stand for any character. */
function mayStandFor(pattern: string, program: string): boolean {
  const name = baseName(pattern).replaceAll(/\[[^\]]+\]/g, "?");
  if (!/^[\w*?.+-]*\w[\w*?.+-]*$/.test(name) || !/[/?[]/.test(pattern)) return false;
  const source = name.replaceAll(/[.+]/g, "\\$&").replaceAll(/\*+/g, ".*").replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i").test(program);
}

/** The sources of the expansions in a word, and its braces. */
function listExpansions(text: string): string {
  const start = text.search(/[$<>]\(|\$\{|`|\{.*,/s);
  return start < 0 ? "" : text.slice(start);
}

const takesCode = /^(?:[gmn]?awk|g?sed|vim?|nvim|ed|ex|emacs|expect|tclsh|[bg]?make|m4|bc|dc|sqlite3|psql|mysql)$/;

/** Programs that run, or give a name to, whatever a word of them turns out to be. */
const takingCommands: ReadonlySet<string> = new Set(["alias", "enable", "find", "hash"]);

/** Subcommands of tools (`git commit`, `npm install`, `docker rm`) whose words are names or prose, and no commands. */
const nameTaking: ReadonlySet<string> = new Set(
  (
    "add api branch build check checkout ci commit diff doc fmt i images info init inspect install issue list log logs ls merge " +
    "mv outdated pack pr ps publish release remove repo reset restore rm rmi search show start stash status stop switch " +
    "tag test uninstall update upgrade view"
  ).split(" "),
);
