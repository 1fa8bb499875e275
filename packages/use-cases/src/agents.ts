import type { Host } from "@unroll/harness";
import { openSurvey, type SurveyedConfig } from "./survey-context.ts";

/** All roles that sub-agents of a thread with this config could have on this machine, and what is wrong with any. */
export async function readRoles(
  config: SurveyedConfig,
  host: Pick<Host, "homeDirectory">,
): ReturnType<typeof import("@unroll/prompt").surveyRoles> {
  const [{ surveyRoles }, where] = await Promise.all([import("@unroll/prompt"), openSurvey(config, host)]);
  return surveyRoles(...where);
}
