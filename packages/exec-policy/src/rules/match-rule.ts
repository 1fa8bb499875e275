import { baseName, isSystemProgram } from "../command/program-path.ts";
import { type ShellWord, textsOf, toStaticWord } from "../command/shell-word.ts";
import { hasKnownOptions, withoutGlobalOptions } from "../command/without-global-options.ts";
import type { PrefixRule, RuleSet } from "./rule-set.ts";

/** How a rule and a command meet. */
export interface RuleMatch {
  readonly rule: PrefixRule;
  /** The words of the command that the pattern took. */
  readonly matchedPrefix: readonly string[];
  /** False where words that are only known when the command runs may make the rule match. */
  readonly certain: boolean;
  /** The path that the command names, where the rule names the program without it. */
  readonly resolvedProgram: string | null;
}

/** The facts that a match depends on, besides rule and command. */
export interface MatchContext {
  readonly rules: RuleSet;
  /** Absolute; what `~/` in a `host_executable` stands for. Null where it is not known. */
  readonly home: string | null;
}

/**
 * Whether a rule covers a command; null where it does not. A rule for `git` also meets `/usr/bin/git`: always where the
 * rule is there to stop something, so that a path is no way round it; where it allows, only for a path that
 * `host_executable` lists or, without such a list, for one in a system folder, so that a program of the same name in
 * the workspace gains nothing. A program that is only known when it runs may meet every rule that stops something. Likewise a rule that stops `git push` meets `git -C x push`; one that allows it does not,
 * for such options may change what runs. Only a certain match allows anything.
 */
export function matchRule(rule: PrefixRule, words: readonly ShellWord[], context: MatchContext): RuleMatch | null {
  const [program] = words;
  if (program === undefined) return null;
  const exact = matchPattern(rule, words);
  if (exact !== null) return exact;
  // A pattern or an expansion may become any program (`/bin/r[m]`, `/bin/$x`), and its arguments too.
  if (program.kind !== "static") {
    return rule.decision === "allow" ? null : { rule, matchedPrefix: [], certain: false, resolvedProgram: null };
  }
  const name = baseName(program.text);
  if (rule.decision === "allow") {
    const isNamed = name !== program.text && isTrustedProgram(program.text, context);
    const named = isNamed ? matchPattern(rule, [toStaticWord(name), ...words.slice(1)]) : null;
    return named && { ...named, resolvedProgram: program.text };
  }
  // A file system may not tell GIT from git; git-push is git push.
  const [bare = "", subcommand] = /^(git)-(.+)/.exec(name.toLowerCase())?.slice(1) ?? [name.toLowerCase()];
  // first of all: a text may have thousands of words, each of them compared with each rule
  if (rule.pattern[0]?.some((path) => baseName(path).toLowerCase() === bare) !== true) return null;
  const given = [...(subcommand === undefined ? [] : [toStaticWord(subcommand)]), ...words.slice(1)];
  const named = [toStaticWord(bare), ...given];
  const match = matchPattern(rule, named) ?? matchPattern(rule, withoutGlobalOptions(named));
  if (match !== null) return { ...match, resolvedProgram: name === program.text ? null : program.text };
  return mayMeet(rule, named) ? { rule, matchedPrefix: [], certain: false, resolvedProgram: null } : null;
}

/** Whether a rule that stops something may mean a command: its program by another path, or behind options that may take a value. */
function mayMeet(rule: PrefixRule, [program, ...given]: readonly ShellWord[]): boolean {
  if (program === undefined) return false;
  const [programs = [], ...rest] = rule.pattern;
  const bare = { ...rule, pattern: [programs.map((path) => baseName(path).toLowerCase()), ...rest] };
  const isOption = (at: number): boolean => /^[-+]/.test(given[at]?.text ?? "");
  const mayStart = (at: number): boolean => at === 0 || isOption(at - 1) || isOption(at - 2);
  const starts = hasKnownOptions(program.text) ? [0] : [0, ...given.keys()].filter(mayStart);
  return starts.some(
    (at) => matchPattern(bare, [program, ...given.slice(at, at + rule.pattern.length)])?.certain === true,
  );
}

/** Walks pattern and words in step, up to the first word that is only known when the command runs. */
function matchPattern(rule: PrefixRule, words: readonly ShellWord[]): RuleMatch | null {
  for (const [index, alternatives] of rule.pattern.entries()) {
    const word = words[index];
    if (word === undefined) return null;
    if (word.kind !== "static") {
      if (!alternatives.some((alternative) => alternative.startsWith(word.head))) return null;
      return { rule, matchedPrefix: textsOf(words.slice(0, index)), certain: false, resolvedProgram: null };
    }
    if (!alternatives.includes(word.text)) return null;
  }
  return { rule, matchedPrefix: textsOf(words.slice(0, rule.pattern.length)), certain: true, resolvedProgram: null };
}

function isTrustedProgram(path: string, context: MatchContext): boolean {
  const declared = context.rules.hostExecutables.findLast((host) => host.name === baseName(path));
  if (declared === undefined) return isSystemProgram(path);
  return declared.paths.some((listed) => {
    if (!listed.startsWith("~/")) return listed === path;
    return context.home !== null && `${context.home}${listed.slice(1)}` === path;
  });
}
