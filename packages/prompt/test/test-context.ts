import { defaultProjectDocMaxBytes, type PromptContext } from "@unroll/prompt";

/** A context to vary: works in `/repo` for somebody whose home is `/home/ada`. */
export const testContext: PromptContext = {
  cwd: "/repo",
  projectRoot: "/repo",
  shellName: "bash",
  codexHome: "/home/ada/.codex",
  homeDirectory: "/home/ada",
  temporaryFolder: null,
  modelFamilyId: "default",
  instructionsFolder: "/instructions",
  instructionsFile: null,
  developerInstructions: null,
  projectDocMaxBytes: defaultProjectDocMaxBytes,
  projectDocFallbackFilenames: [],
  approvalPolicy: "on-request",
  sandboxPolicy: {
    mode: "read-only",
    networkAccess: false,
    writableRoots: [],
    excludeSlashTmp: false,
    excludeTmpdirEnvVar: false,
    git: "writable",
    denyRead: [],
    allowWeaker: false,
  },
};
