import type { WorkspaceWritePolicy } from "@unroll/protocol";
import type { PromptContext } from "@unroll/prompt";

/** A context to vary: works in `/repo` for somebody whose home is `/home/ada`. */
export const testContext: PromptContext = {
  cwd: "/repo",
  projectRoot: "/repo",
  shellName: "bash",
  today: { date: "2026-11-23", timeZone: "Europe/Berlin" },
  codexHome: "/home/ada/.codex",
  homeDirectory: "/home/ada",
  modelFamilyId: "default",
  tools: [
    { type: "function", name: "exec_command" },
    { type: "function", name: "write_stdin" },
    { type: "custom", name: "apply_patch" },
  ],
  instructionsFolder: "/instructions",
  instructionsFile: null,
  developerInstructions: null,
  projectDocMaxBytes: 32 * 1024,
  projectDocFallbackFilenames: [],
  skillPolicy: { projectTrust: "trusted", isListed: true, rules: [] },
  approvalPolicy: "on-request",
  sandboxPolicy: {
    mode: "read-only",
    network: { type: "closed" },
    hidden: [],
    allowWeaker: false,
    limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
  },
};

/** A policy with these folders to write. */
export function writableIn(roots: readonly string[], hidden: readonly string[] = []): WorkspaceWritePolicy {
  return {
    mode: "workspace-write",
    network: { type: "closed" },
    roots: roots.map((path, index) => ({ path, kind: "work", identity: { device: "1", inode: String(index) } })),
    readOnly: [],
    git: "writable",
    hidden,
    allowWeaker: false,
    limits: { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null },
  };
}
