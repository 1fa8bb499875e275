import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError } from "./fault/config-error.ts";
import type { ConfigSources } from "./config-sources.ts";
import { createBuiltInLayer } from "./layer/built-in-layer.ts";
import { combineLayers } from "./layer/combine-layers.ts";
import { createFlagLayer } from "./layer/flag-layer.ts";
import { createOverrideLayers } from "./layer/override-layer.ts";
import { findProjectRoot } from "./layer/find-project-root.ts";
import { findTrustLevel } from "./layer/find-trust-level.ts";
import { createProfileLayer } from "./layer/profile-layer.ts";
import { readProjectLayer } from "./layer/project-layer.ts";
import { readConfigFile } from "./layer/read-config-file.ts";
import { resolveConfig } from "./resolve/resolve-config.ts";
import type { ResolvedConfig } from "./resolved-config.ts";

/**
 * Reads the configuration and resolves it. Layers, later ones win: `$CODEX_HOME/config.toml`, the project's
 * `.codex/config.toml` where the user trusts the project and it has not changed since, the profile, `-c`, flags. A missing or empty file is fine.
 * Throws `ConfigError` for anything that cannot be used; what merely has no effect is in `warnings`.
 */
export async function loadConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  const cwd = await findWorkingFolder(sources);
  const userFile = join(sources.codexHome, "config.toml");
  const user = await readConfigFile(userFile);
  const overrides = await createOverrideLayers(sources.overrides);
  const commandLine = [...overrides, createFlagLayer(sources.flags)];

  const ofUser = combineLayers([user, ...commandLine]);
  const profile = createProfileLayer(ofUser, sources.profile ?? ofUser.table.profile);
  const projectRoot = await findProjectRoot(cwd);
  const root = projectRoot ?? cwd;
  const projectTrust = await findTrustLevel(root, ofUser.table.projects ?? {});
  const project = await readProjectLayer({ root, codexHome: sources.codexHome, userFile, trust: projectTrust });

  const combined = combineLayers([createBuiltInLayer(sources.env), user, project, profile, ...commandLine]);
  return resolveConfig({ ...combined, sources, cwd, projectRoot, projectTrust });
}

async function findWorkingFolder({ cwd, flags }: ConfigSources): Promise<string> {
  const folder = resolve(cwd, flags.cwd ?? "");
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return folder;
  throw new ConfigError({
    code: "folder_not_found",
    message: `The working folder ${folder} ${found === null ? "does not exist" : "is not a folder"}.`,
  });
}
