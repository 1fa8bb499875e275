import type { Skill } from "./skill.ts";

/** All skills that there are, and what is wrong with some. */
export interface SkillSurvey {
  /** By name in code-unit order. */
  readonly skills: readonly SurveyedSkill[];
  readonly faults: readonly SkillFault[];
  /** The SKILL.md files of a project that is not trusted: not read. */
  readonly untrusted: readonly string[];
}

/** A skill that was found. */
interface SurveyedSkill {
  readonly skill: Skill;
  /** False: a rule of the config turns it off. */
  readonly isEnabled: boolean;
}

/** What is wrong with a SKILL.md. */
export interface SkillFault {
  readonly path: string;
  /** Counted from 1; null: it is the file as a whole. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** What is wrong and how to mend it; begins in lower case, without a full stop. */
  readonly problem: string;
  /** Whether there is no skill because of it. */
  readonly isSkipped: boolean;
}

/** As one line for people. */
export function formatFault({ path, place, problem, isSkipped }: SkillFault): string {
  const where = place === null ? path : `${path}:${place.line}:${place.column}`;
  return `${where}: ${problem}.${isSkipped ? " The skill was skipped." : ""}`;
}
