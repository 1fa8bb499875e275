import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "../host/host-environment.ts";
import { checkCall } from "../options/check-call.ts";

/** All skills that a thread with this config would have on this machine, and what is wrong with any. */
export async function surveyConfigSkills(
  config: ResolvedConfig,
  host: Pick<HostEnvironment, "homeDirectory">,
): ReturnType<typeof import("@unroll/prompt").surveySkills> {
  checkCall("surveyConfigSkills", { config, host }, { "config.cwd": "text", "host.homeDirectory": "text" });
  const [{ surveySkills }, { nodePromptFiles }] = await Promise.all([
    import("@unroll/prompt"),
    import("@unroll/prompt/node"),
  ]);
  const { cwd, projectRoot, codexHome, skills, projectTrust } = config;
  const skillPolicy = { ...skills, projectTrust };
  return surveySkills({ cwd, projectRoot, codexHome, homeDirectory: host.homeDirectory, skillPolicy }, nodePromptFiles);
}
