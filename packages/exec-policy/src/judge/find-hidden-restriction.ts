import { baseName } from "../command/program-path.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { namesProgram } from "../command/variable-power.ts";
import { namingWords } from "../prefix/prefix-shapes.ts";
import { matchRule } from "../rules/match-rule.ts";
import { recogniseRead } from "../safe/recognise-read.ts";
import { listPossibleCommands } from "../wrapper/list-possible-commands.ts";
import type { Unwrapped } from "../wrapper/unwrapped.ts";
import type { JudgeScope } from "./judge-scope.ts";
import type { DecisionSource } from "./verdict.ts";

/**
 * The rule that stops what a command may run in hiding: a program that nobody knows may run any of its words (`prlimit rm`), and a
 * variable may name a program (`EDITOR=rm`). Commands that only read run nothing. The words of wrappers are not looked at:
 * what these run is known.
 */
export function findHiddenRestriction(
  { words, assignments }: SimpleCommand,
  unwrapped: Unwrapped | null,
  { rules, surroundings, git, assignments: outer }: JudgeScope,
): readonly DecisionSource[] {
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
  const possible = takesNames ? [] : listPossibleCommands(words.slice(1)).filter(({ words: each }) => each.length > 0);
  const rule = stopping.find((each) =>
    possible.some((command) => matchRule(each, command.words, { rules, home: surroundings.home }) !== null),
  );
  return rule === undefined ? [] : [{ type: "rule.suspected", rule }];
}

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
