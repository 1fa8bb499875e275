import type { GitSettings } from "../command/judge-context.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import type { Surroundings } from "./find-surroundings.ts";

/** How deep wrappers around wrappers are looked through. */
export const maximumDepth = 8;

/** The facts that a command is judged by, besides its words. */
export interface JudgeScope {
  readonly rules: RuleSet;
  readonly surroundings: Surroundings;
  readonly git: GitSettings | null;
  readonly isShadowed: (name: string) => boolean;
  readonly isRuleFolder: (folder: string, usesGit: boolean) => boolean;
  readonly isTyped: boolean;
  /** Variables that the wrappers around were given. */
  readonly assignments: readonly string[];
  /** Whether the wrappers around take variables away. */
  readonly dropsEnvironment: boolean;
  /** Whether the wrappers around may write what it prints to a file. */
  readonly writesOutput: boolean;
  readonly dialect: ShellDialect;
  /** More than `maximumDepth` for what the words of a wrapper may hold: all of that was listed. */
  readonly depth: number;
}
