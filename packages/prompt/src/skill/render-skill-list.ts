import { listLines } from "../text/list-lines.ts";
import { showPath } from "../text/show-path.ts";
import type { Skill } from "./skill.ts";

/** All lines of the list together. */
const listMaxBytes = 16 * 1024;

const preamble = `## Skills
A skill is a folder with a SKILL.md: know-how for one kind of task, often with scripts and templates beside it. There are:`;

const usage = `A skill applies when its description matches what you are about to do, or when the user writes \`$name\`. Read its SKILL.md before you begin, unless a \`<skill>\` message has brought you the text, and follow it where it does not go against the user or an AGENTS.md. Paths in it start from its folder. A skill that turns out not to fit, or has files missing, is no obstacle: say so and work without it.`;

/** The section on skills; empty when there are none. */
export function renderSkillList(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (file: ${showPath(path)})`);
  return [preamble, listLines(lines, listMaxBytes), usage].join("\n");
}
