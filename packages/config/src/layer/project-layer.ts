import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ProjectTable } from "../schema/config-table.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { formatOrigin } from "../fault/origin.ts";
import { findUnacceptedChange } from "./project-record.ts";
import { readConfigText } from "./read-config-file.ts";
import { formatKey } from "../toml/key-path.ts";

export interface ProjectQuery {
  /** The root of the repository around the working folder; where there is none, that folder. */
  readonly root: string;
  readonly codexHome: string;
  /** The user's `config.toml`, where trust is written down. */
  readonly userFile: string;
  readonly trust: ProjectTable["trust_level"] | null;
}

/** What a repository may not decide, trusted or not: where requests and credentials go, what is shown of them, what may be spent, which skills count, and whom to trust. */
const userKeys: ReadonlySet<string> = new Set([
  "budget",
  "chatgpt_base_url",
  "cli_auth_credentials_store",
  "login",
  "mask_secrets",
  "model_provider",
  "model_providers",
  "openai_base_url",
  "profile",
  "profiles",
  "projects",
  "skills",
]);

/** The config of the project, read only when the user trusts the project, and while it is what the user trusted. */
export async function readProjectLayer(query: ProjectQuery): Promise<ConfigLayer> {
  const { root, userFile, trust } = query;
  const file = join(root, ".codex", "config.toml");
  const isThere = existsSync(file);
  if (file === userFile) return createEmptyLayer();
  if (trust === "trusted") return readTrusted(file, query);
  return createEmptyLayer(isThere && trust === null ? [notTrusted(file, root, userFile)] : []);
}

async function readTrusted(file: string, { root, codexHome, userFile }: ProjectQuery): Promise<ConfigLayer> {
  const text = await readConfigText(file);
  const record = await findUnacceptedChange({ codexHome, root: await realpath(root), text });
  if (text === null) return createEmptyLayer();
  if (record !== null) return createEmptyLayer([notAccepted(file, record)]);
  const { parseConfigFile } = await import("./parse-config-file.ts");
  return withoutUserKeys(parseConfigFile(text.replace(/^\uFEFF/, ""), file), userFile);
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

function notAccepted(file: string, record: string): ConfigWarning {
  const message = `${file} is not read, because it is not what it was when you first started in this project: a command may have written it. Look at it; to accept it as it is now, remove ${record}.`;
  return { code: "project_config_changed", message };
}

function notTrusted(file: string, root: string, userFile: string): ConfigWarning {
  const key = formatKey(["projects", root, "trust_level"]);
  const message = `${file} is not read, because you have not said that you trust this project. Put ${key} = "trusted" at the top of ${userFile} to read it, or = "untrusted" to end this notice.`;
  return { code: "project_not_trusted", message };
}
