import { type Host, openPromptFiles, type ResolvedConfig } from "@unroll/harness";

/** All skills that a thread with this config would have on this machine, and what is wrong with any. */
export async function readSkills(
  config: Pick<ResolvedConfig, "cwd" | "projectRoot" | "codexHome" | "sandboxSettings" | "skills" | "projectTrust">,
  { homeDirectory }: Pick<Host, "homeDirectory">,
): ReturnType<typeof import("@unroll/prompt").surveySkills> {
  const [{ surveySkills }, files] = await Promise.all([import("@unroll/prompt"), openPromptFiles(config)]);
  const { cwd, projectRoot, codexHome, skills, projectTrust } = config;
  return surveySkills({ cwd, projectRoot, codexHome, homeDirectory, skillPolicy: { ...skills, projectTrust } }, files);
}
