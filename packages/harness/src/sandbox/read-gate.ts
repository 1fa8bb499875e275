import type { ResolvedConfig } from "@unroll/config";
import type { SandboxPolicy } from "@unroll/protocol";
import { canRead, resolveReadPolicy } from "@unroll/sandbox";
import type { FileGate } from "@unroll/tools/node";

/** The settings that decide which files go into a prompt. */
export type ReadSettings = Pick<ResolvedConfig, "cwd" | "projectRoot" | "codexHome" | "sandboxSettings">;

/** Denies files that commands cannot read. */
export function toReadGate(policy: SandboxPolicy): FileGate {
  const hidden = policy.mode === "danger-full-access" ? [] : policy.hidden;
  return { canRead: (realPath) => canRead(policy, realPath), hidden, codexHome: null, project: null };
}

/**
 * Also refuses files of unroll's own folder and paths that lead out of the project: for files that a project, a person or a
 * client names. `policy`: the thread's; absent: that of the settings.
 */
export function toPromptGate(settings: ReadSettings, policy?: SandboxPolicy): FileGate {
  const { codexHome, projectRoot, cwd, sandboxSettings } = settings;
  return { ...toReadGate(policy ?? resolveReadPolicy(sandboxSettings)), codexHome, project: projectRoot ?? cwd };
}
