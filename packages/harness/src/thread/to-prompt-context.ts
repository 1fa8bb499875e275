import { fileURLToPath } from "node:url";
import type { ResolvedConfig } from "@unroll/config";
import { instructionsDirectory, type PromptContext } from "@unroll/prompt";
import type { HostEnvironment } from "../host/host-environment.ts";

/** What the config and the machine say of the prompt. */
export function toPromptContext(config: ResolvedConfig, host: HostEnvironment, shellName: string): PromptContext {
  return {
    cwd: config.cwd,
    projectRoot: config.projectRoot,
    shellName,
    codexHome: config.codexHome,
    homeDirectory: host.homeDirectory,
    temporaryFolder: host.env["TMPDIR"] ?? null,
    modelFamilyId: config.modelFamily.id,
    instructionsFolder: fileURLToPath(instructionsDirectory),
    instructionsFile: config.modelInstructionsFile,
    developerInstructions: config.developerInstructions,
    projectDocMaxBytes: config.projectDocMaxBytes,
    projectDocFallbackFilenames: config.projectDocFallbackFilenames,
    sandboxPolicy: config.sandboxPolicy,
    approvalPolicy: config.approvalPolicy,
  };
}
