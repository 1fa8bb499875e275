import type { PromptContext } from "@unroll/prompt";
import type { ToolSpec } from "@unroll/protocol";
import type { ThreadSettings } from "../settings/thread-settings.ts";

export interface PromptPlace {
  readonly homeDirectory: string;
  readonly shellName: string;
  /** Of the program; null: none. */
  readonly instructions: string | null;
  /** As of a request of the thread. */
  readonly tools: readonly ToolSpec[];
}

/** What the settings and the machine say of the prompt. */
export function toPromptContext(settings: ThreadSettings, place: PromptPlace): PromptContext {
  const { config, sandbox, approvals, today } = settings;
  const { instructions, ...machine } = place;
  return {
    ...machine,
    ...(instructions !== null && { instructions }),
    today,
    cwd: config.cwd,
    projectRoot: config.projectRoot,
    codexHome: config.codexHome,
    modelFamilyId: config.modelFamily.id,
    instructionsFolder: null,
    instructionsFile: config.modelInstructionsFile,
    developerInstructions: config.developerInstructions,
    projectDocMaxBytes: config.projectDocMaxBytes,
    projectDocFallbackFilenames: config.projectDocFallbackFilenames,
    skillPolicy: { ...config.skills, projectTrust: config.projectTrust },
    sandboxPolicy: sandbox.policy,
    approvalPolicy: approvals.policy,
  };
}
