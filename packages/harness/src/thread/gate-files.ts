import type { PromptFiles } from "@unroll/prompt";
import { type FileGate, gatePromptFiles } from "@unroll/prompt/node";
import { toReadGate } from "../sandbox/read-gate.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { SharedParts } from "./shared-parts.ts";

/** The files for a thread's prompts: none that its settings hide, by whatever link a project or a command leads there. */
export function openPromptFiles(
  { promptFiles }: Pick<SharedParts, "promptFiles">,
  settings: Pick<ThreadSettings, "config" | "sandbox">,
): PromptFiles {
  return gatePromptFiles(promptFiles, () => toFileGate(settings));
}

function toFileGate({ config, sandbox: { policy } }: Pick<ThreadSettings, "config" | "sandbox">): FileGate {
  return { ...toReadGate(policy), codexHome: config.codexHome, project: config.projectRoot ?? config.cwd };
}
