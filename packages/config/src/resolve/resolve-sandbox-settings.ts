import { join } from "node:path";
import type { SandboxSettings } from "@unroll/protocol";
import type { Members } from "../keys/config-table.ts";
import type { TopKeys } from "../keys/key-sections.ts";
import { listFilesWithSecrets } from "./collect-secrets.ts";
import { toMcpTokenFolder } from "./mcp-token-folder.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

/** What is asked of the sandbox. `--add-dir` adds to the writable roots; the harness's own credential files are never readable. */
export function resolveSandboxSettings(
  context: ResolveContext,
  settings: Members<TopKeys>["sandboxSettings"],
): SandboxSettings {
  const { table, sources, layers } = context;
  const { max_total_memory_mb: memory } = table.sandbox ?? {};
  return {
    ...settings,
    writableRoots: unique([
      ...settings.writableRoots,
      ...(sources.flags.addDirs ?? []).map((path) => resolvePath(context, "--add-dir", path)),
    ]),
    denyRead: unique([
      join(sources.codexHome, "auth.json"),
      toMcpTokenFolder(sources.codexHome),
      ...listFilesWithSecrets(layers),
      ...settings.denyRead,
    ]),
    // 0 stands for none: TOML has no null
    limits: { ...settings.limits, maxTotalMemoryMb: memory === undefined ? "most" : memory || null },
  };
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
