import type { FileSearch } from "../file/file-search.ts";
import { joinPath } from "../file/path.ts";
import type { SkillContext, SkillPolicy } from "../prompt-context.ts";
import { findSkillFiles } from "./find-skill-files.ts";
import { readSkill } from "./read-skill.ts";
import type { Skill } from "./skill.ts";
import { formatFault, type SkillFault, type SkillSurvey } from "./skill-survey.ts";

/** How many SKILL.md files are read. */
const maxSkills = 200;

/** The skills that count, by name. What is wrong with the others is a warning, never an error. */
export async function findSkills(
  search: FileSearch,
  context: SkillContext,
  folders: readonly string[],
): Promise<readonly Skill[]> {
  const survey = await surveySkillFolders(search, context, folders);
  const { skills, faults, untrusted } = survey;
  for (const fault of faults) search.warn(formatFault(fault));
  if (untrusted.length > 0 && context.skillPolicy.projectTrust === null) search.warn(explainTrust(survey, context));
  return skills.filter(({ isEnabled }) => isEnabled).map(({ skill }) => skill);
}

/**
 * Looks at all skills: of the project (in each of its `folders`, the innermost first), of `$CODEX_HOME` and of the user. Of
 * several with one name the first in that order counts. Those of a project that is not trusted are found and not read.
 */
export async function surveySkillFolders(
  search: FileSearch,
  context: SkillContext,
  folders: readonly string[],
): Promise<SkillSurvey> {
  const { skillPolicy } = context;
  const ofUser = [joinPath(context.codexHome, "skills"), joinPath(context.homeDirectory, ".agents/skills")];
  const ofProject = folders
    .toReversed()
    .flatMap((folder) => [joinPath(folder, ".codex/skills"), joinPath(folder, ".agents/skills")])
    .filter((root) => !ofUser.includes(root)); // the user works at home
  const isTrusted = skillPolicy.projectTrust === "trusted";
  const paths = await findSkillFiles(search, isTrusted ? [...ofProject, ...ofUser] : ofUser);
  const untrusted = isTrusted ? [] : await findSkillFiles({ ...search, warn: () => {} }, ofProject);
  if (paths.length > maxSkills) search.warn(`Only the first ${maxSkills} of ${paths.length} skills are used.`);

  const skills = new Map<string, Skill>();
  const faults: SkillFault[] = [];
  for (const path of paths.slice(0, maxSkills)) {
    const read = await readSkill(search, path);
    faults.push(...read.faults);
    const { skill } = read;
    const first = skill === null ? undefined : skills.get(skill.name);
    if (skill !== null && first === undefined) skills.set(skill.name, skill);
    if (first !== undefined) faults.push(toDuplicate(path, first));
  }
  const byName = [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills: byName.map((skill) => ({ skill, isEnabled: isEnabled(skill, skillPolicy) })), faults, untrusted };
}

function isEnabled({ name, path }: Skill, { rules }: SkillPolicy): boolean {
  const folder = path.replace(/\/SKILL\.md$/u, "");
  const rule = rules.findLast((each) =>
    "name" in each ? each.name === name : [path, folder].includes(each.path.replace(/\/+$/u, "")),
  );
  return rule?.isEnabled ?? true;
}

function toDuplicate(path: string, first: Skill): SkillFault {
  const problem = `a skill named \`${first.name}\` is already there (${first.path}): rename one of them`;
  return { path, place: null, problem, isSkipped: true };
}

function explainTrust({ untrusted }: SkillSurvey, { projectRoot, cwd, codexHome }: SkillContext): string {
  const root = projectRoot ?? cwd;
  const key = `projects.${JSON.stringify(root)}.trust_level`;
  const config = joinPath(codexHome, "config.toml");
  const count = untrusted.length === 1 ? "The skill" : `The ${untrusted.length} skills`;
  const verb = untrusted.length === 1 ? "is" : "are";
  return `${count} of the project ${root} ${verb} not read, because you have not said that you trust it. Put ${key} = "trusted" at the top of ${config} to use them, or = "untrusted" to end this notice.`;
}
