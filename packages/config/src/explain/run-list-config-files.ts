import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigSources } from "../config-sources.ts";
import type { ConfigFile } from "./config-file.ts";
import { listFolders } from "../layer/list-folders.ts";
import { readLayers } from "../layer/read-layers.ts";

/** See `listConfigFiles`. */
export async function runListConfigFiles(sources: ConfigSources): Promise<readonly ConfigFile[]> {
  const { cwd, projectRoot, profileFile, warnings } = await readLayers(sources);
  const user = join(sources.codexHome, "config.toml");
  const { systemFile } = sources;
  const refusals = warnings.filter(({ code }) => code === "project_not_trusted" || code === "project_config_changed");
  const describe = (path: string, owner: ConfigFile["owner"]): ConfigFile => {
    const refusal = owner === "project" && refusals.find(({ message }) => message.includes(path));
    if (refusal) return { path, owner, state: "refused", reason: refusal.message };
    return { path, owner, state: existsSync(path) ? "read" : "missing", reason: null };
  };
  const project = listFolders(projectRoot ?? cwd, cwd).map((folder) => join(folder, ".codex", "config.toml"));
  return [
    ...(systemFile === undefined || systemFile === user ? [] : [describe(systemFile, "system")]),
    describe(user, "user"),
    ...(profileFile === null ? [] : [describe(profileFile, "user")]),
    ...project.filter((path) => path !== user).map((path) => describe(path, "project")),
  ];
}
