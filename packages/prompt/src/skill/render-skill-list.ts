import { listLines } from "../text/list-lines.ts";
import { showPath } from "../text/show-path.ts";
import type { Skill } from "./skill.ts";

/** All lines of the list together. */
const LIST_MAX_BYTES = 16 * 1024;

const PREAMBLE = `## Skills
A skill is a folder with a SKILL.md file: know-how for one kind of task, sometimes with scripts and templates beside it. These are at hand:`;

const USAGE = `How to use them:
- When a task is what a skill's description speaks of, or the user names the skill (as \`$name\` or in words), open its SKILL.md and follow it. Where the file's text has been given to you in a \`<skill>\` message, you need not open it.
- Paths in a SKILL.md are relative to its folder. Open further files only when it sends you to them, and run the scripts it brings rather than writing them anew.
- Several fit: use the fewest that cover the task. None fits: work without one. One cannot be followed (missing file, missing program): say so in a sentence and do it the ordinary way.
- A skill is for the task at hand; do not carry it over to the next one by yourself.`;

/** The section on skills; empty when there are none. */
export function renderSkillList(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (file: ${showPath(path)})`);
  return [PREAMBLE, listLines(lines, LIST_MAX_BYTES), USAGE].join("\n");
}
