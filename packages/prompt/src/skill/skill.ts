import type { FileFault } from "../file/file-fault.ts";

/** Know-how that someone wrote down for the agent in a SKILL.md file. */
export interface Skill {
  /** A message mentions it as `$name`. 1 to 64 letters, digits, `_`, `-`, with `.` or `:` only in between. */
  readonly name: string;
  /** When to use it; one line, at most 1,024 bytes. */
  readonly description: string;
  /** Absolute path of its SKILL.md. */
  readonly path: string;
}

/** A skill's name inside a pattern: what `$` may be followed by. */
export const skillNamePattern: string = String.raw`[\p{L}\p{N}_-]+(?:[.:][\p{L}\p{N}_-]+)*`;

/** How much of a SKILL.md is read, in bytes. */
export const skillFileMaxBytes: number = 64 * 1024;

/** All skills that there are, and what is wrong with some. */
export interface SkillSurvey {
  /** By name in code-unit order. */
  readonly skills: readonly SurveyedSkill[];
  readonly faults: readonly FileFault[];
  /** The SKILL.md files of a project that is not trusted: not read. */
  readonly untrusted: readonly string[];
}

/** A skill that was found. */
interface SurveyedSkill {
  readonly skill: Skill;
  /** False: a rule of the config turns it off. */
  readonly isEnabled: boolean;
}
