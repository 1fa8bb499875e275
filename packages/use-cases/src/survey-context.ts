import { type Host, openPromptFiles, type ResolvedConfig } from "@unroll/harness";
import type { PromptFiles, SkillContext } from "@unroll/prompt";

/** The parts of a thread's config that say where files for agents lie, and which of them count. */
export type SurveyedConfig = Pick<
  ResolvedConfig,
  "cwd" | "projectRoot" | "codexHome" | "sandboxSettings" | "skills" | "projectTrust"
>;

/** Where a thread with this config would look on this machine, and how it would read. */
export async function openSurvey(
  config: SurveyedConfig,
  { homeDirectory }: Pick<Host, "homeDirectory">,
): Promise<readonly [SkillContext, PromptFiles]> {
  const { cwd, projectRoot, codexHome, skills, projectTrust } = config;
  const context = { cwd, projectRoot, codexHome, homeDirectory, skillPolicy: { ...skills, projectTrust } };
  return [context, await openPromptFiles(config)];
}
