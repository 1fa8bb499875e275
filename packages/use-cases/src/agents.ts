import { type Host, openPromptFiles, type ResolvedConfig } from "@unroll/harness";

/** All roles that sub-agents of a thread with this config could have on this machine, and what is wrong with any. */
export async function readRoles(
  config: Pick<ResolvedConfig, "cwd" | "projectRoot" | "codexHome" | "sandboxSettings" | "skills" | "projectTrust">,
  { homeDirectory }: Pick<Host, "homeDirectory">,
): ReturnType<typeof import("@unroll/prompt").surveyRoles> {
  const [{ surveyRoles }, files] = await Promise.all([import("@unroll/prompt"), openPromptFiles(config)]);
  const { cwd, projectRoot, codexHome, skills, projectTrust } = config;
  return surveyRoles({ cwd, projectRoot, codexHome, homeDirectory, skillPolicy: { ...skills, projectTrust } }, files);
}
