import { join } from "node:path";
import type { SandboxSettings } from "@unroll/protocol";
import { defaults } from "../schema/defaults.ts";
import { listFilesWithSecrets } from "./list-files-with-secrets.ts";
import { toMcpTokenFolder } from "./mcp-token-folder.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

/** What is asked of the sandbox. `--add-dir` adds to the writable roots; the harness's own credential files are never readable. */
export function resolveSandboxSettings(context: ResolveContext): SandboxSettings {
  const { table, sources } = context;
  const { writable_roots: roots = [], ...workspace } = table.sandbox_workspace_write ?? {};
  const sandbox = table.sandbox ?? {};
  const { deny_read: denied = [], allow_weaker: allowWeaker = defaults["sandbox.allow_weaker"] } = sandbox;
  return {
    mode: table.sandbox_mode ?? defaults.sandbox_mode,
    networkAccess: workspace.network_access ?? defaults["sandbox_workspace_write.network_access"],
    writableRoots: unique([
      ...roots.map((path) => resolvePath(context, "sandbox_workspace_write.writable_roots", path)),
      ...(sources.flags.addDirs ?? []).map((path) => resolvePath(context, "--add-dir", path)),
    ]),
    excludeSlashTmp: workspace.exclude_slash_tmp ?? defaults["sandbox_workspace_write.exclude_slash_tmp"],
    excludeTmpdirEnvVar: workspace.exclude_tmpdir_env_var ?? defaults["sandbox_workspace_write.exclude_tmpdir_env_var"],
    git: workspace.git ?? defaults["sandbox_workspace_write.git"],
    denyRead: unique([
      join(sources.codexHome, "auth.json"),
      toMcpTokenFolder(sources.codexHome),
      ...listFilesWithSecrets(context.layers),
      ...denied.map((path) => resolvePath(context, "sandbox.deny_read", path)),
    ]),
    allowWeaker,
    limits: {
      maxProcesses: toLimit(sandbox.max_processes ?? defaults["sandbox.max_processes"]),
      maxMemoryMb: toLimit(sandbox.max_memory_mb ?? defaults["sandbox.max_memory_mb"]),
      maxTotalMemoryMb: sandbox.max_total_memory_mb === undefined ? "most" : toLimit(sandbox.max_total_memory_mb),
    },
  };
}

/** 0 stands for none: TOML has no null. */
function toLimit(value: number): number | null {
  return value === 0 ? null : value;
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
