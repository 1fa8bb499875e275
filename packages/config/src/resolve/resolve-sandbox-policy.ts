import { join } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";
import type { Origin } from "../layer/origin.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

/** What commands may do. `--add-dir` adds to the writable roots; the harness's own credential files are never readable. */
export function resolveSandboxPolicy(context: ResolveContext): SandboxPolicy {
  const { table, origins, sources } = context;
  const { writable_roots: roots = [], ...workspace } = table.sandbox_workspace_write ?? {};
  const { deny_read: denied = [], allow_weaker: allowWeaker = false } = table.sandbox ?? {};
  return {
    mode: table.sandbox_mode ?? "read-only",
    networkAccess: workspace.network_access ?? false,
    writableRoots: unique([
      ...roots.map((path) => resolvePath(context, "sandbox_workspace_write.writable_roots", path)),
      ...(sources.flags.addDirs ?? []).map((path) => resolvePath(context, "--add-dir", path)),
    ]),
    excludeSlashTmp: workspace.exclude_slash_tmp ?? false,
    excludeTmpdirEnvVar: workspace.exclude_tmpdir_env_var ?? false,
    git: workspace.git ?? "writable",
    denyRead: unique([
      join(sources.codexHome, "auth.json"),
      ...listFilesWithSecrets(origins),
      ...denied.map((path) => resolvePath(context, "sandbox.deny_read", path)),
    ]),
    allowWeaker,
  };
}

/** Config files with a credential in plain text: a command that reads one would hand it to the model. */
function listFilesWithSecrets(origins: ReadonlyMap<string, Origin>): readonly string[] {
  const secretKey =
    /(^|\.)(experimental_bearer_token|(http_headers|env)\..*(auth|cookie|key|password|secret|token).*)$/i;
  return [...origins].flatMap(([key, origin]) => (secretKey.test(key) && origin.type === "file" ? [origin.path] : []));
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
