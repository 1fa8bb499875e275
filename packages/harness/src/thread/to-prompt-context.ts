import { fileURLToPath } from "node:url";
import type { ResolvedConfig } from "@unroll/config";
import { instructionsDirectory, type PromptContext } from "@unroll/prompt";
import type { SandboxPolicy } from "@unroll/protocol";
import type { HostEnvironment } from "../host/host-environment.ts";

export interface PromptFacts {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  readonly shellName: string;
  readonly sandboxPolicy: SandboxPolicy;
}

/** What the config and the machine say of the prompt. */
export function toPromptContext({ config, host, shellName, sandboxPolicy }: PromptFacts): PromptContext {
  return {
    cwd: config.cwd,
    shellName,
    codexHome: config.codexHome,
    homeDirectory: host.homeDirectory,
    modelFamilyId: config.modelFamily.id,
    instructionsFolder: fileURLToPath(instructionsDirectory),
    instructionsFile: config.modelInstructionsFile,
    developerInstructions: config.developerInstructions,
    projectDocMaxBytes: config.projectDocMaxBytes,
    projectDocFallbackFilenames: config.projectDocFallbackFilenames,
    sandboxPolicy,
    approvalPolicy: config.approvalPolicy,
  };
}
