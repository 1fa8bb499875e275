import { checkShape } from "@unroll/text";
import type { JudgeContext } from "../command/judge-context.ts";
import { baseName } from "../command/program-path.ts";
import { isBelow } from "../command/resolve-path.ts";
import { isHarmlessVariable, isPowerfulVariable } from "../command/variable-power.ts";
import { findKeysFlaw, findLastingFlaw, splitAtKeys } from "../flaw/typed-flaw.ts";
import { findCommandDanger, forkBomb } from "../danger/find-danger.ts";
import { proposePrefix } from "../prefix/propose-prefix.ts";
import { matchRule, type RuleMatch } from "../rules/match-rule.ts";
import type { PrefixRule, RuleSet } from "../rules/rule-set.ts";
import { recogniseRead } from "../safe/recognise-read.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import { readScript } from "../script/read-script.ts";
import { toStaticWord, toStaticWords } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "../command/simple-command.ts";
import type { ScriptReading } from "../script/script-reading.ts";
import { unwrapCommand } from "../wrapper/unwrap-command.ts";
import type { Unwrapped } from "../wrapper/unwrapped.ts";
import { listOpenedFiles, opensFile } from "./list-opened-files.ts";
import { labelRule } from "./explain-verdict.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import { findNetworkRestrictions } from "../network/find-network-restrictions.ts";
import { findHiddenRestriction, listStoppingRules, takesNames } from "./find-hidden-restriction.ts";
import { findReservation } from "./find-reservation.ts";
import { findForeignVariables, findRuleLimit, type RuleLimit } from "./find-rule-limit.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { type JudgeScope, maximumDepth } from "./judge-scope.ts";
import { settleReads } from "./settle-reads.ts";
import { strictestSource, summariseVerdicts } from "./summarise-verdicts.ts";
import { toPartVerdict } from "./to-part-verdict.ts";
import type { DecisionSource, PartVerdict, Verdict } from "./verdict.ts";

/** The command to judge: an argument list, or the text of a script and the shell that reads it. */
export type JudgedCommand =
  | { readonly argv: readonly string[] }
  | { readonly script: string; readonly shell: ShellDialect };

const required = { command: "an object", "rules.prefixRules": "a list", "context.cwd": "text" } as const;

/**
 * Judges everything that a command line runs, by the rules and by known facts about programs: every
 * simple command of a script, also in substitutions and behind wrappers like `env`, `xargs` and
 * `bash -lc`. The strictest part decides. Anything that cannot be read is never allowed. Pure and
 * total: the same input gives the same verdict, and only a value that is not a command throws.
 */
export function judgeCommand(command: JudgedCommand, rules: RuleSet, context: JudgeContext): Verdict {
  checkShape("judgeCommand", { command, rules, context }, required);
  if ("argv" in command) checkShape("judgeCommand", { command }, { "command.argv": "a list" });
  else checkShape("judgeCommand", { command }, { "command.script": "text", "command.shell": "text" });
  const dialect = "argv" in command ? "bash" : command.shell;
  const { isTyped = false } = context;
  const reading: ScriptReading =
    "argv" in command ? readArguments(command.argv, isTyped) : readScript(command.script, command.shell);
  const start: JudgeScope = {
    rules,
    surroundings: {
      folders: [context.cwd],
      home: context.home,
      hasUnknownFolder: false,
      hasUnknownVariable: false,
      exported: [],
      local: [],
    },
    git: context.git ?? null,
    isShadowed: context.isShadowed ?? (() => false),
    isRuleFolder: context.isRuleFolder ?? ((folder) => isBelow(folder, context.cwd)),
    isTyped,
    dialect,
    assignments: [],
    dropsEnvironment: false,
    writesOutput: false,
    depth: 0,
  };
  return summariseVerdicts(settleReads(judgeReading(reading, start), context.cwd));
}

/**
 * No argument list can hold a NUL: the command that runs would differ from the judged one. For
 * typed keys, the text between them is judged.
 */
function readArguments(argv: readonly string[], isTyped: boolean): ScriptReading {
  const hasNul = argv.some((argument) => argument.includes("\0"));
  const flaw = hasNul ? ({ type: "unreadable", reason: "a NUL character in an argument" } as const) : null;
  const words = isTyped ? argv.map(splitAtKeys) : argv;
  return {
    commands: [toSimpleCommand(toStaticWords(words))],
    flaw: flaw ?? findKeysFlaw(argv, isTyped),
    forkBombs: [],
  };
}

function judgeReading(reading: ScriptReading, outer: JudgeScope): readonly PartVerdict[] {
  const scope = { ...outer, surroundings: findSurroundings(reading.commands, outer.surroundings, outer.dialect) };
  const verdicts = reading.commands.flatMap((command) => judgeSimpleCommand(command, scope));
  const bombs = reading.forkBombs.map((name) =>
    toPartVerdict([toStaticWord(name)], { type: "danger.found", danger: forkBomb, consent: null }),
  );
  const flaw = (scope.isTyped ? findLastingFlaw(reading.commands) : null) ?? reading.flaw;
  if (flaw === null) return [...verdicts, ...bombs];
  const unread = toPartVerdict([], { type: "script.unread", detail: flaw.reason });
  const [suspect] = listStoppingRules(scope.rules);
  const suspected = suspect === undefined ? [] : [toPartVerdict([], { type: "rule.suspected", rule: suspect })];
  return [...verdicts, ...bombs, unread, ...suspected];
}

/** The verdict on a command and those on the commands that it runs; none for what runs nothing. */
function judgeSimpleCommand(command: SimpleCommand, scope: JudgeScope): readonly PartVerdict[] {
  const unwrapped = unwrapCommand(command, scope.dialect);
  const judged = judgeOwnWords(command, unwrapped, scope);
  const own = opensFile(command) ? judged.map((verdict) => ({ ...verdict, opensFile: true })) : judged;
  const opened = own.length === 0 ? listOpenedFiles(command) : [];
  const handed = unwrapped === null || unwrapped.isSearched ? judgeHandedWords(command, own, scope) : [];
  if (unwrapped === null || scope.depth >= maximumDepth) return [...own, ...opened, ...handed];
  const inner = judgeReading(unwrapped, {
    ...scope,
    dialect: unwrapped.dialect,
    assignments: [...scope.assignments, ...command.assignments],
    dropsEnvironment: scope.dropsEnvironment || unwrapped.dropsEnvironment,
    writesOutput: scope.writesOutput || unwrapped.writesOutput,
    depth: unwrapped.isSearched ? maximumDepth + 1 : scope.depth + 1,
  });
  // Where the outer words decide, the inner ones can only make it stricter.
  return own.length === 0 ? [...inner, ...opened] : [...own, ...inner.filter(isRestriction), ...handed];
}

/** An unknown program may run a shell, or another wrapper, that is among its words: what a rule stops there is suspected. */
function judgeHandedWords(
  { words }: SimpleCommand,
  own: readonly PartVerdict[],
  scope: JudgeScope,
): readonly PartVerdict[] {
  const isUnknown = own.some(({ source }) => source.type === "command.unlisted" || source.type === "rule.matched");
  const start = words.findIndex(
    ({ kind, text }, index) => index > 0 && kind === "static" && handedPrograms.test(baseName(text)),
  );
  if (!isUnknown || start < 0 || scope.depth >= maximumDepth || takesNames(words)) return [];
  const reading = { commands: [toSimpleCommand(words.slice(start))], flaw: null, forkBombs: [] };
  const inner = judgeReading(reading, { ...scope, depth: scope.depth + 1 }).filter(isRestriction);
  const rule = inner.map(({ source }) => findStoppingRule(source)).find((each) => each !== null);
  return rule === undefined ? [] : [toPartVerdict(words, { type: "rule.suspected", rule })];
}

const handedPrograms = /^(?:(?:ba|da|a|k|mk|z)?sh|env|eval|nice|nohup|setsid|stdbuf|sudo|timeout|xargs|busybox)$/;

function findStoppingRule(source: DecisionSource): PrefixRule | NetworkRule | null {
  if (source.type === "rule.matched") return source.match.rule;
  return source.type === "rule.suspected" || source.type === "network.matched" ? source.rule : null;
}

function isRestriction(verdict: PartVerdict): boolean {
  if (verdict.decision === "allow") return false;
  return verdict.source.type !== "command.unlisted" && verdict.source.type !== "script.unread";
}

/** Nothing where the words decide nothing themselves: a transparent wrapper, a harmless assignment. */
function judgeOwnWords(command: SimpleCommand, unwrapped: Unwrapped | null, scope: JudgeScope): readonly PartVerdict[] {
  const { words } = command;
  const judged = (source: DecisionSource): readonly PartVerdict[] => [toPartVerdict(words, source)];
  const matches = scope.rules.prefixRules.flatMap((rule) => {
    const match = matchRule(rule, words, { rules: scope.rules, home: scope.surroundings.home });
    return match === null ? [] : [match];
  });
  const restriction = strictestSource([
    ...findRestriction(matches),
    ...findHiddenRestriction(command, unwrapped, scope),
    ...findNetworkRestrictions(words, scope.rules.networkRules),
  ]);
  if (restriction !== null) return judged(restriction);
  const reservation = findReservation(command);
  const allowed = matches.filter((match) => match.rule.decision === "allow" && match.certain);
  const limited = allowed.map((match) => ({ match, limit: findRuleLimit(toReach(match), command, scope) }));
  const allowing = reservation === null ? limited.filter(({ limit }) => limit === null).map(({ match }) => match) : [];
  const danger = findCommandDanger(command, scope.surroundings);
  if (danger !== null) {
    const consent = allowing.find((match) => match.matchedPrefix.length === words.length) ?? null;
    return judged({ type: "danger.found", danger, consent });
  }
  if (reservation !== null) return judged({ type: "command.unlisted", detail: reservation });
  if (words.length === 0) return [];
  const covering = allowing.find((match) => match.matchedPrefix.length >= (unwrapped?.coverage ?? 1));
  if (covering !== undefined) return judged({ type: "rule.matched", match: covering });
  if (unwrapped !== null && !isShadowed(words, scope)) return judgeWrapper(command, unwrapped, scope).flatMap(judged);
  const source = judgeRead(command, scope);
  if (source.type === "read.recognised") return judged(source);
  const [near] = limited;
  if (near?.limit) {
    const { rule, matchedPrefix } = near.match;
    const detail = `${near.limit.detail}, which the ${labelRule(rule)} does not allow`;
    return [toUnlisted(words, { detail, prefix: matchedPrefix, env: rule.env, limit: near.limit })];
  }
  const limit = findRuleLimit({ length: 0, env: [] }, command, scope);
  return [toUnlisted(words, { detail: source.detail, prefix: proposePrefix(words), env: [], limit })];
}

function toReach({ rule, matchedPrefix }: RuleMatch): { readonly length: number; readonly env: readonly string[] } {
  return { length: matchedPrefix.length, env: rule.env };
}

interface Unlisted {
  readonly detail: string;
  readonly prefix: readonly string[] | null;
  readonly env: readonly string[];
  readonly limit: RuleLimit | null;
}

/** With the rule that would allow it; with none where that would have to name a variable that may run any code. */
function toUnlisted(words: SimpleCommand["words"], { detail, prefix, env, limit }: Unlisted): PartVerdict {
  const verdict = toPartVerdict(words, { type: "command.unlisted", detail });
  const variables = limit === null ? [] : limit.variables;
  if (prefix === null || variables === null || variables.some(isPowerfulVariable)) return verdict;
  return { ...verdict, proposedPrefix: prefix, proposedEnv: [...env, ...variables] };
}

const declarations: ReadonlySet<string> = new Set(["export", "local", "readonly"]);

/** A builtin of the shell has no file; to ask about one in vain costs little. */
function isShadowed(words: SimpleCommand["words"], scope: JudgeScope): boolean {
  return scope.isShadowed(words[0]?.text ?? "");
}

/** A command that no rule speaks of. */
function judgeRead(
  { words, assignments }: SimpleCommand,
  scope: JudgeScope,
): Extract<DecisionSource, { readonly type: "command.unlisted" | "read.recognised" }> {
  const grant = recogniseRead(words, scope.git);
  if (grant === null) return { type: "command.unlisted", detail: "is covered by no rule and not known to only read" };
  if (isShadowed(words, scope))
    return { type: "command.unlisted", detail: "has the name of a program in the workspace" };
  const own = declarations.has(words[0]?.text ?? "") ? [] : assignments;
  const foreign = [...scope.assignments, ...own].find((name) => !isHarmlessVariable(name));
  if (foreign !== undefined) return { type: "command.unlisted", detail: `may obey ${foreign}, which is set for it` };
  const { exported, local, hasUnknownVariable } = scope.surroundings;
  const lasting = [...exported, ...local].find(isPowerfulVariable);
  if (lasting !== undefined) return { type: "command.unlisted", detail: `may obey ${lasting}, which the script sets` };
  if (hasUnknownVariable) return { type: "command.unlisted", detail: "may obey a variable that is not known before" };
  if (scope.writesOutput) return { type: "command.unlisted", detail: "may write what it prints to a file" };
  if (scope.dropsEnvironment && Object.keys(grant.environment).length > 0) {
    return { type: "command.unlisted", detail: "only reads under variables that are taken from it" };
  }
  return { type: "read.recognised", grant };
}

function judgeWrapper(command: SimpleCommand, unwrapped: Unwrapped, scope: JudgeScope): readonly DecisionSource[] {
  const foreign = findForeignVariables(command, scope);
  const variable = unwrapped.commands.length === 0 ? foreign[0] : foreign.find(isPowerfulVariable);
  if (variable !== undefined) return [{ type: "command.unlisted", detail: `gets ${variable}, which it may obey` }];
  if (scope.depth >= maximumDepth) return [{ type: "command.unlisted", detail: "is too deep inside other commands" }];
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
