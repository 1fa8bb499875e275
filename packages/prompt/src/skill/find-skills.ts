import type { FileSearch } from "../file/file-search.ts";
import { joinPath } from "../file/path.ts";
import { readText } from "../file/read-text.ts";
import type { PromptContext } from "../prompt-context.ts";
import { findSkillFiles } from "./find-skill-files.ts";
import { type Skill, skillFileMaxBytes } from "./skill.ts";

/** How many SKILL.md files are read. */
const maxSkills = 200;

/**
 * The skills of the project where the user trusts it, of `$CODEX_HOME` and of the user, by name. Of several with one name the first in that order
 * counts. A SKILL.md that cannot be used is a warning, never an error.
 */
export async function findSkills(
  search: FileSearch,
  context: PromptContext,
  projectRoot: string,
): Promise<readonly Skill[]> {
  const ofUser = [joinPath(context.codexHome, "skills"), joinPath(context.homeDirectory, ".agents/skills")];
  const ofProject = [".codex/skills", ".agents/skills"]
    .map((name) => joinPath(projectRoot, name))
    .filter((folder) => !ofUser.includes(folder));
  const isTrusted = context.projectTrust === "trusted";
  const paths = await findSkillFiles(search, [...(isTrusted ? ofProject : []), ...ofUser]);
  if (context.projectTrust === null) await warnOfUntrusted(search, ofProject, projectRoot);
  if (paths.length > maxSkills) search.warn(`Only the first ${maxSkills} of ${paths.length} skills are used.`);
  const skills = new Map<string, Skill>();
  for (const path of paths.slice(0, maxSkills)) {
    const skill = await readSkill(search, path);
    if (skill === null) continue;
    const first = skills.get(skill.name);
    if (first === undefined) skills.set(skill.name, skill);
    else search.warn(`${path}: a skill named \`${skill.name}\` is already there (${first.path}): rename one of them.`);
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a skill says is obeyed like the user's own word: that of a stranger's repository is not read unasked. */
async function warnOfUntrusted(search: FileSearch, folders: readonly string[], projectRoot: string): Promise<void> {
  const [first, ...others] = await findSkillFiles(search, folders);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more skills`;
  const key = `projects.${JSON.stringify(projectRoot)}.trust_level`;
  search.warn(
    `${first}${more}: not read, because you have not said that you trust this project. Put ${key} = "trusted" at the top of your config.toml, or = "untrusted" to end this notice.`,
  );
}

async function readSkill(search: FileSearch, path: string): Promise<Skill | null> {
  const read = await readText(search.files, path, skillFileMaxBytes);
  if (read.type === "missing") return null;
  if (read.type === "unreadable") search.warn(`Cannot read the skill ${path}: ${read.reason}.`);
  if (read.type === "unusable") search.warn(`The skill ${path} ${read.reason}: it was skipped.`);
  if (read.type !== "text") return null;
  const { parseSkill } = await import("./parse-skill.ts"); // with YAML and zod: only where there are skills
  const parsed = parseSkill(path, read.text);
  if (parsed.type === "parsed") return parsed.skill;
  search.warn(`${path}:${parsed.line}:${parsed.column}: ${parsed.problem}. The skill was skipped.`);
  return null;
}
