import { type Skill, skillNamePattern } from "./skill.ts";

/**
 * The skills that a text mentions as `$name`, each once, in order of first mention. A `$` after a letter, digit, `_`, `$` or
 * `\` is none.
 */
export function findMentions(text: string, skills: readonly Skill[]): readonly Skill[] {
  if (skills.length === 0) return []; // making the pattern takes a millisecond
  const mentions = text.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}_$\\])\$(${skillNamePattern})`, "gu"));
  const names = new Set(Array.from(mentions, ([, name]) => name));
  return Array.from(names, (name) => skills.find((skill) => skill.name === name)).filter(
    (skill) => skill !== undefined,
  );
}
