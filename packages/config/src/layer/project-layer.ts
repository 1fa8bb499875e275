import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ProjectTable } from "../schema/config-table.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { formatOrigin } from "../fault/origin.ts";
import { readConfigFile } from "./read-config-file.ts";
import { formatKey } from "../toml/key-path.ts";

export interface ProjectQuery {
  /** The root of the repository around the working folder; where there is none, that folder. */
  readonly root: string;
  /** The user's `config.toml`, where trust is written down. */
  readonly userFile: string;
  readonly projects: Readonly<Record<string, ProjectTable>>;
}

/** What a repository may not decide, trusted or not: where requests and credentials go, what is shown of them, and whom to trust. */
const userKeys: ReadonlySet<string> = new Set([
  "mask_secrets",
  "model_provider",
  "model_providers",
  "openai_base_url",
  "profile",
  "profiles",
  "projects",
]);

/** The config of the project, read only when the user trusts the project. */
export async function readProjectLayer({ root, userFile, projects }: ProjectQuery): Promise<ConfigLayer> {
  const file = join(root, ".codex", "config.toml");
  if (file === userFile || !existsSync(file)) return createEmptyLayer();
  const trust = await findTrustLevel(root, projects);
  if (trust === "trusted") return withoutUserKeys(await readConfigFile(file), userFile);
  return createEmptyLayer(trust === undefined ? [notTrusted(file, root, userFile)] : []);
}

/** The path in the config may be another name of the same folder. */
async function findTrustLevel(root: string, projects: ProjectQuery["projects"]): Promise<ProjectTable["trust_level"]> {
  const real = await realpath(root);
  for (const [path, { trust_level }] of Object.entries(projects)) {
    if (path === root || (await realpath(path).catch(() => path)) === real) return trust_level;
  }
  return undefined;
}

function withoutUserKeys(layer: ConfigLayer, userFile: string): ConfigLayer {
  const ignored = Object.keys(layer.table).filter((key) => userKeys.has(key));
  const kept = Object.entries(layer.table).filter(([key]) => !userKeys.has(key));
  const notices = ignored.map((key): ConfigWarning => {
    const origin = layer.locate([key]);
    const message = `${formatOrigin(origin)}: ${key} is ignored in a project's configuration: move it to ${userFile}.`;
    return { code: "key_ignored_in_project", message, key, origin };
  });
  return { ...layer, table: Object.fromEntries(kept), warnings: [...layer.warnings, ...notices] };
}

function notTrusted(file: string, root: string, userFile: string): ConfigWarning {
  const key = formatKey(["projects", root, "trust_level"]);
  const message = `${file} is not read, because you have not said that you trust this project. Put ${key} = "trusted" at the top of ${userFile} to read it, or = "untrusted" to end this notice.`;
  return { code: "project_not_trusted", message };
}
