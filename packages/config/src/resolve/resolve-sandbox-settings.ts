import { join } from "node:path";
import type { SandboxSettings } from "@unroll/protocol";
import { defaults } from "../schema/defaults.ts";
import { formatKey } from "../toml/key-path.ts";
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
      ...listFilesWithSecrets(context),
      ...denied.map((path) => resolvePath(context, "sandbox.deny_read", path)),
    ]),
    allowWeaker,
    limits: {
      maxProcesses: toLimit(sandbox.max_processes ?? defaults["sandbox.max_processes"]),
      maxMemoryMb: toLimit(sandbox.max_memory_mb ?? defaults["sandbox.max_memory_mb"]),
    },
  };
}

/** 0 stands for none: TOML has no null. */
function toLimit(value: number): number | null {
  return value === 0 ? null : value;
}

/** Config files with a credential in plain text: a command that reads one would hand it to the model. */
function listFilesWithSecrets({ table, origins }: ResolveContext): readonly string[] {
  const secretKey =
    /(^|\.)(experimental_bearer_token|(http_headers|env)\..*(auth|cookie|key|password|secret|token).*)$/i;
  const keyedServers = Object.entries(table.mcp_servers ?? {}).filter(([, { url }]) => holdsKey(url));
  const keyedUrls = new Set(keyedServers.map(([id]) => formatKey(["mcp_servers", id, "url"])));
  return [...origins].flatMap(([key, origin]) =>
    (secretKey.test(key) || keyedUrls.has(key)) && origin.type === "file" ? [origin.path] : [],
  );
}

/** Services like to put keys into the queries of their addresses; one with a login in it is refused. */
function holdsKey(url = ""): boolean {
  return (URL.parse(url)?.search ?? "") !== "";
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
