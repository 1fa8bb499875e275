import { baseName } from "../command/program-path.ts";
import { toStaticWord } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "../command/simple-command.ts";
import { namesProgram } from "../command/variable-power.ts";
import { interpreter, namingWords } from "../prefix/prefix-shapes.ts";
import { matchRule } from "../rules/match-rule.ts";
import type { PrefixRule } from "../rules/rule-set.ts";
import { recogniseRead } from "../safe/recognise-read.ts";
import { listGivenTexts, listMentionedCommands, listPossibleCommands } from "../wrapper/list-possible-commands.ts";
import type { Unwrapped } from "../wrapper/unwrapped.ts";
import type { JudgeScope } from "./judge-scope.ts";
import type { DecisionSource } from "./verdict.ts";

/**
 * The rule that stops what a command may run in hiding: a program that nobody knows may run any of its words (`prlimit rm`), and a
 * variable may name a program (`EDITOR=rm`). Commands that only read run nothing. The words of wrappers are not looked at:
 * what these run is known.
 */
export function findHiddenRestriction(
  command: SimpleCommand,
  unwrapped: Unwrapped | null,
  { rules, surroundings, git, assignments: outer }: JudgeScope,
): readonly DecisionSource[] {
  const { words, assignments } = command;
  const stopping = rules.prefixRules
    .filter(({ decision }) => decision !== "allow")
    .toSorted((a, b) => Number(b.decision === "forbidden") - Number(a.decision === "forbidden"));
  const [strictest] = stopping;
  if (strictest === undefined) return [];
  if ([...outer, ...assignments].some(namesProgram)) return [{ type: "rule.suspected", rule: strictest }];
  if (unwrapped !== null || recogniseRead(words, git) !== null) return [];
  if (surroundings.exported.some(namesProgram)) return [{ type: "rule.suspected", rule: strictest }];
  const [program, first] = words;
  const name = baseName(program?.text ?? "");
  const isOpen = takingCommands.has(name) && words.some(({ kind, head }) => kind === "dynamic" || head.endsWith("="));
  if (isOpen) return [{ type: "rule.suspected", rule: strictest }];
  const takesNames = namingWords.has(name) && !name.endsWith("x") && nameTaking.has(first?.text ?? "");
  const possible = takesNames ? [] : [...listPossibleCommands(words.slice(1)), ...listMentioned(command, stopping)];
  const rule = stopping.find((each) =>
    possible.some(
      ({ words: inner }) => inner.length > 0 && matchRule(each, inner, { rules, home: surroundings.home }) !== null,
    ),
  );
  return rule === undefined ? [] : [{ type: "rule.suspected", rule }];
}

/**
 * Commands that the code of an interpreter names (`python3 -c`), and those in words that are only known at run time and may be
 * a program: `cp $(which rm) x`, `cp /bin/r[m] x`.
 */
function listMentioned(command: SimpleCommand, stopping: readonly PrefixRule[]): readonly SimpleCommand[] {
  const [program, ...given] = command.words;
  const name = baseName(program?.text ?? "");
  if (interpreter.test(name) || editsByCode.test(name))
    return [...given, ...listGivenTexts(command)].flatMap(({ text }) => listMentionedCommands(text));
  const programs = stopping.flatMap(({ pattern: [names = []] }) => names.map(baseName));
  return given.flatMap(({ kind, text }, index) => {
    if (kind === "static") return [];
    const meant = programs.filter((each) => mayStandFor(text, each)).map(toStaticWord);
    const named = meant.map((word) => toSimpleCommand([word, ...given.slice(index + 1)]));
    return [...named, ...listMentionedCommands(listExpansions(text))];
  });
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
  const start = text.search(/\$[({]|`|\{.*,/s);
  return start < 0 ? "" : text.slice(start);
}

const editsByCode = /^(?:[gmn]?awk|g?sed|vim?|nvim|ex|emacs|expect|tclsh)$/;

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
