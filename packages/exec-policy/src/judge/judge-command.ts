import type { DangerContext, JudgeContext } from "../danger/danger.ts";
import { findCommandDanger, forkBomb } from "../danger/find-danger.ts";
import { proposeForWords } from "../prefix/propose-prefix.ts";
import { matchRule, type RuleMatch } from "../rules/match-rule.ts";
import type { PrefixRule, RuleSet } from "../rules/rule-set.ts";
import { isKnownSafeRead } from "../safe/is-known-safe-read-command.ts";
import { readScript, type ShellDialect } from "../shell/read-script.ts";
import { toStaticWord, toStaticWords } from "../shell/shell-word.ts";
import { type ScriptReading, type SimpleCommand, toSimpleCommand } from "../shell/simple-command.ts";
import { unwrapCommand, type Unwrapped } from "../shell/unwrap-command.ts";
import { findFolders } from "./find-folders.ts";
import { findNetworkRestrictions } from "./find-network-restrictions.ts";
import { findReservation } from "./find-reservation.ts";
import { strictestSource, summariseVerdicts, toCommandVerdict } from "./summarise-verdicts.ts";
import type { CommandVerdict, DecisionSource, Verdict } from "./verdict.ts";

/** What is to be run: an argument list, or the text of a script and the shell that reads it. */
export type JudgedCommand =
  | { readonly argv: readonly string[] }
  | { readonly script: string; readonly shell: ShellDialect };

/** How deep wrappers around wrappers are looked through. */
const maximumDepth = 8;

/**
 * Judges everything that a command line runs, by the rules and by what is known of programs: every simple command of a
 * script, also in substitutions and behind wrappers like `env`, `xargs` and `bash -lc`. The strictest part decides.
 * What cannot be read is never allowed. Pure and total: same input, same verdict, no exception.
 */
export function judgeCommand(command: JudgedCommand, rules: RuleSet, context: JudgeContext): Verdict {
  const dialect = "argv" in command ? "bash" : command.shell;
  const reading: ScriptReading =
    "argv" in command ? readArguments(command.argv) : readScript(command.script, command.shell);
  const reach: DangerContext = { folders: [context.cwd], home: context.home };
  return summariseVerdicts(judgeReading(reading, { rules, reach, dialect, depth: 0 }));
}

/** No argument list can hold a NUL: what would run is not what was judged. */
function readArguments(argv: readonly string[]): ScriptReading {
  const hasNul = argv.some((argument) => argument.includes("\0"));
  const flaw = hasNul ? ({ type: "unreadable", reason: "a NUL character in an argument" } as const) : null;
  return { commands: [toSimpleCommand(toStaticWords(argv))], flaw, forkBombs: [] };
}

interface Scope {
  readonly rules: RuleSet;
  readonly reach: DangerContext;
  readonly dialect: ShellDialect;
  readonly depth: number;
}

function judgeReading(reading: ScriptReading, outer: Scope): readonly CommandVerdict[] {
  const scope = { ...outer, reach: findFolders(reading.commands, outer.reach) };
  const verdicts = reading.commands.flatMap((command) => judgeSimpleCommand(command, scope));
  const bombs = reading.forkBombs.map((name) =>
    toCommandVerdict([toStaticWord(name)], { type: "danger.found", danger: forkBomb, consent: null }),
  );
  if (reading.flaw === null) return [...verdicts, ...bombs];
  const unread = toCommandVerdict([], { type: "script.unread", detail: reading.flaw.reason });
  const suspect = reading.flaw.type === "unreadable" ? findStrictestRule(scope.rules) : null;
  const suspected = suspect === null ? [] : [toCommandVerdict([], { type: "rule.suspected", rule: suspect })];
  return [...verdicts, ...bombs, unread, ...suspected];
}

/** The rule that a command in hiding would have to fear most. */
function findStrictestRule(rules: RuleSet): PrefixRule | null {
  const { prefixRules } = rules;
  const forbidding = prefixRules.find((rule) => rule.decision === "forbidden");
  return forbidding ?? prefixRules.find((rule) => rule.decision === "prompt") ?? null;
}

/** The verdict on a command and those on the commands that it runs; none for what runs nothing. */
function judgeSimpleCommand(command: SimpleCommand, scope: Scope): readonly CommandVerdict[] {
  const unwrapped = unwrapCommand(command, scope.dialect);
  const own = judgeOwnWords(command, unwrapped, scope);
  if (unwrapped === null || scope.depth === maximumDepth) return own;
  const inner = judgeReading(unwrapped, { ...scope, dialect: unwrapped.dialect, depth: scope.depth + 1 });
  // Where the outer words decide, the inner ones can only make it stricter.
  return own.length === 0 ? inner : [...own, ...inner.filter(isRestriction)];
}

function isRestriction(verdict: CommandVerdict): boolean {
  if (verdict.decision === "allow") return false;
  return verdict.source.type !== "command.unlisted" && verdict.source.type !== "script.unread";
}

/** Nothing where the words decide nothing themselves: a transparent wrapper, a harmless assignment. */
function judgeOwnWords(command: SimpleCommand, unwrapped: Unwrapped | null, scope: Scope): readonly CommandVerdict[] {
  const { words } = command;
  const judged = (source: DecisionSource): readonly CommandVerdict[] => [toCommandVerdict(words, source)];
  const matches = scope.rules.prefixRules.flatMap((rule) => {
    const match = matchRule(rule, words, { rules: scope.rules, home: scope.reach.home });
    return match === null ? [] : [match];
  });
  const restriction = strictestSource([...findRestriction(matches), ...findNetworkRestrictions(words, scope.rules)]);
  if (restriction !== null) return judged(restriction);
  const reservation = findReservation(command);
  const allowing =
    reservation === null ? matches.filter((match) => match.rule.decision === "allow" && match.certain) : [];
  const danger = findCommandDanger(command, scope.reach);
  if (danger !== null) {
    const consent = allowing.find((match) => match.matchedPrefix.length === words.length) ?? null;
    return judged({ type: "danger.found", danger, consent });
  }
  if (reservation !== null) return judged({ type: "command.unlisted", detail: reservation });
  if (words.length === 0) return [];
  const covering = allowing.find((match) => match.matchedPrefix.length >= (unwrapped?.coverage ?? 1));
  if (covering !== undefined) return judged({ type: "rule.matched", match: covering });
  if (unwrapped !== null) return judgeWrapper(unwrapped, scope).flatMap(judged);
  if (isKnownSafeRead(words)) return judged({ type: "read.recognised" });
  const source: DecisionSource = {
    type: "command.unlisted",
    detail: "is covered by no rule and not known to only read",
  };
  return [{ ...toCommandVerdict(words, source), proposedPrefix: proposeForWords(words) }];
}

function judgeWrapper(unwrapped: Unwrapped, scope: Scope): readonly DecisionSource[] {
  if (scope.depth === maximumDepth) return [{ type: "command.unlisted", detail: "is too deep inside other commands" }];
  if (unwrapped.transparent) return [];
  return [{ type: "command.unlisted", detail: "runs another command in a way that no rule for that one covers" }];
}

function findRestriction(matches: readonly RuleMatch[]): readonly DecisionSource[] {
  const restricting = matches.filter((match) => match.rule.decision !== "allow");
  const certain = restricting.filter((match) => match.certain);
  if (certain.length > 0) return certain.map((match) => ({ type: "rule.matched", match }));
  const suspect = restricting.find((candidate) => candidate.rule.decision === "forbidden") ?? restricting[0];
  return suspect === undefined ? [] : [{ type: "rule.suspected", rule: suspect.rule }];
}
