import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConfigWarning } from "../config-warning.ts";
import type { ProjectTable } from "../schema/config-table.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { formatOrigin } from "./origin.ts";
import { readConfigFile } from "./read-config-file.ts";
import { formatKey } from "./key-path.ts";

export interface ProjectQuery {
  /** The working folder of the thread. */
  readonly cwd: string;
  /** The user's `config.toml`, where trust is written down. */
  readonly userFile: string;
  readonly projects: Readonly<Record<string, ProjectTable>>;
}

/** What a repository may not decide, trusted or not: where requests and credentials go, and whom to trust. */
const userKeys: ReadonlySet<string> = new Set([
  "model_provider",
  "model_providers",
  "openai_base_url",
  "profile",
  "profiles",
  "projects",
]);

/** The config of the repository around `cwd`, read only when the user trusts that repository. */
export async function readProjectLayer({ cwd, userFile, projects }: ProjectQuery): Promise<ConfigLayer> {
  const root = findProjectRoot(cwd);
  const file = join(root, ".codex", "config.toml");
  if (file === userFile || !existsSync(file)) return createEmptyLayer();
  const trust = await findTrustLevel(root, projects);
  if (trust === "trusted") return withoutUserKeys(await readConfigFile(file), userFile);
  return createEmptyLayer(trust === undefined ? [notTrusted(file, root, userFile)] : []);
}

/** The nearest root of a git work tree upward from `cwd`; else `cwd`. */
function findProjectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isGitRoot(folder)) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** A `.git` file, as in a linked work tree, or a folder that is a repository: sandboxes leave empty ones in shared folders. */
function isGitRoot(folder: string): boolean {
  const git = join(folder, ".git");
  return existsSync(join(git, "HEAD")) || (statSync(git, { throwIfNoEntry: false })?.isFile() ?? false);
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
