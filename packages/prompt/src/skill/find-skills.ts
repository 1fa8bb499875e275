import { type FileFault, formatFault } from "../file/file-fault.ts";
import { joinPath } from "../file/path.ts";
import { explainTrust, type FileSurveyRead, type ReadText, surveyFiles } from "../file/survey-files.ts";
import type { SkillContext, SkillPolicy } from "../prompt-context.ts";
import type { FileSearch } from "../prompt-files.ts";
import { type Skill, skillFileMaxBytes, type SkillSurvey } from "./skill.ts";

const kind = {
  singular: "skill",
  plural: "skills",
  maxFiles: 200,
  isWanted: (path: string) => path.endsWith("/SKILL.md"),
  ownsFolder: true,
  maxBytes: skillFileMaxBytes,
  parse,
} as const;

/** The skills that count, by name. Faults of the others are warnings, never errors. */
export async function findSkills(
  search: FileSearch,
  context: SkillContext,
  folders: readonly string[],
): Promise<readonly Skill[]> {
  const { skills, faults, untrusted } = await surveySkillFolders(search, context, folders);
  for (const fault of faults) search.warn(formatFault(fault, "skill"));
  if (untrusted.length > 0 && context.skillPolicy.projectTrust === null)
    search.warn(explainTrust(untrusted, kind, context));
  return skills.filter(({ isEnabled }) => isEnabled).map(({ skill }) => skill);
}

/** Looks at all skills: of the project (in each of its `folders`, the innermost first), of `$CODEX_HOME` and of the user. */
export async function surveySkillFolders(
  search: FileSearch,
  { codexHome, homeDirectory, skillPolicy }: SkillContext,
  folders: readonly string[],
): Promise<SkillSurvey> {
  const { items, ...others } = await surveyFiles(search, skillPolicy.projectTrust, {
    ...kind,
    ofUser: [joinPath(codexHome, "skills"), joinPath(homeDirectory, ".agents/skills")],
    ofProject: folders
      .toReversed()
      .flatMap((folder) => [joinPath(folder, ".codex/skills"), joinPath(folder, ".agents/skills")]),
  });
  return { skills: items.map((skill) => ({ skill, isEnabled: isEnabled(skill, skillPolicy) })), ...others };
}

function isEnabled({ name, path }: Skill, { rules }: SkillPolicy): boolean {
  const folder = path.replace(/\/SKILL\.md$/u, "");
  const rule = rules.findLast((each) =>
    "name" in each ? each.name === name : [path, folder].includes(each.path.replace(/\/+$/u, "")),
  );
  return rule?.isEnabled ?? true;
}

/** Reads the front matter of a SKILL.md, and looks at the size of its text. */
async function parse(path: string, read: ReadText): Promise<FileSurveyRead<Skill>> {
  const { parseSkill } = await import("./parse-skill.ts"); // with YAML and zod: only where there are skills
  const { skill, fault } = parseSkill(path, read.text);
  const isLong = read.bytes < read.size;
  return { item: skill, faults: [...(fault === null ? [] : [fault]), ...(isLong ? [toLongFile(path, read)] : [])] };
}

function toLongFile(path: string, { bytes, size }: { readonly bytes: number; readonly size: number }): FileFault {
  const problem = `only the first ${bytes} of ${size} bytes are used: move details to files beside it`;
  return { path, place: null, problem, isSkipped: false };
}
