import { checkContext } from "./check-context.ts";
import type { FileSearch } from "./file/file-search.ts";
import { foldersDownTo } from "./file/path.ts";
import type { SkillContext } from "./prompt-context.ts";
import type { PromptFiles } from "./prompt-files.ts";
import { surveySkillFolders } from "./skill/find-skills.ts";
import type { SkillSurvey } from "./skill/skill-survey.ts";

/** Looks at all skills that a thread in this context would have, and at what is wrong with any. */
export async function surveySkills(
  context: SkillContext,
  files: PromptFiles,
): Promise<SkillSurvey & { readonly warnings: readonly string[] }> {
  checkContext("surveySkills", context, files);
  const warnings: string[] = [];
  const search: FileSearch = { files, warn: (warning) => warnings.push(warning) };
  const survey = await surveySkillFolders(search, context, foldersDownTo(context.cwd, context.projectRoot));
  return { ...survey, warnings };
}
