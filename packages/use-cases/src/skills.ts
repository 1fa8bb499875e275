import type { Host } from "@unroll/harness";
import { openSurvey, type SurveyedConfig } from "./survey-context.ts";

/** All skills that a thread with this config would have on this machine, and what is wrong with any. */
export async function readSkills(
  config: SurveyedConfig,
  host: Pick<Host, "homeDirectory">,
): ReturnType<typeof import("@unroll/prompt").surveySkills> {
  const [{ surveySkills }, where] = await Promise.all([import("@unroll/prompt"), openSurvey(config, host)]);
  return surveySkills(...where);
}
