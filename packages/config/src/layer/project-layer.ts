import { existsSync } from "node:fs";
import { join } from "node:path";
import { realpath } from "node:fs/promises";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import type { ProjectTable } from "../keys/config-table.ts";
import { listUsersNames } from "../keys/config-schema.ts";
import { formatKey } from "../toml/key-path.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { listFolders } from "./list-folders.ts";
import { findTrustLevel } from "./find-trust-level.ts";
import { compareWithRecord, writeRecord } from "./project-record.ts";
import { readConfigText } from "./read-config-file.ts";

export interface ProjectQuery {
  /** The root of the repository around the working folder; where there is none, that folder. */
  readonly root: string;
  /** The working folder: the root, or below it. */
  readonly cwd: string;
  readonly codexHome: string;
  /** The user's `config.toml`, where trust is written down. */
  readonly userFile: string;
  readonly projects: Readonly<Record<string, ProjectTable>>;
}

/** A project's own configuration. */
export interface ProjectLayers {
  readonly trust: ProjectTrust;
  /** From the root down to the working folder. */
  readonly layers: readonly ConfigLayer[];
}

/** What the user says of the project; null: nothing. */
export type ProjectTrust = "trusted" | "untrusted" | null;

/** The config of the project's folders, read only where the user trusts them, and while it is what the user trusted. */
export async function readProjectLayers(query: ProjectQuery): Promise<ProjectLayers> {
  const { root, cwd, userFile, projects } = query;
  const folders = listFolders(root, cwd).filter((folder) => toFile(folder) !== userFile);
  const there = folders.filter((folder) => existsSync(toFile(folder)));
  const ofRoot = findTrustLevel(root, projects);
  const layers: ConfigLayer[] = [];
  const refused: string[] = [];
  let isKnown = false;
  for (const folder of folders) {
    const own = folder === root ? ofRoot : findTrustLevel(folder, projects);
    const trust = own ?? ofRoot;
    if (trust === "trusted") {
      const read = await readTrusted(folder, { query, isNew: isKnown && own === null });
      if (folder === root) isKnown = read.isKnown;
      layers.push(read.layer);
    } else if (trust === null && there.includes(folder)) refused.push(toFile(folder));
  }
  const notice = refused.length === 0 ? [] : [createEmptyLayer([notTrusted(refused, query)])];
  return { trust: ofRoot, layers: [...layers, ...notice] };
}

function toFile(folder: string): string {
  return join(folder, ".codex", "config.toml");
}

interface TrustedFolder {
  readonly query: ProjectQuery;
  /** The project was met before, and nobody said anything of this folder by itself: what turns up in it now was not seen. */
  readonly isNew: boolean;
}

async function readTrusted(
  folder: string,
  { query, isNew }: TrustedFolder,
): Promise<{ readonly layer: ConfigLayer; readonly isKnown: boolean }> {
  const file = toFile(folder);
  const text = await readConfigText(file);
  const config = { codexHome: query.codexHome, folder: await realpath(folder), text };
  const { type, record } = await compareWithRecord(config);
  const isKnown = type !== "unrecorded";
  if (type === "unrecorded" && !isNew && (text !== null || folder === query.root)) await writeRecord(config);
  if (text === null) return { layer: createEmptyLayer(), isKnown };
  if (type === "changed") return { layer: createEmptyLayer([notAccepted(file, record)]), isKnown };
  if (type === "unrecorded" && isNew) return { layer: createEmptyLayer([notSeen(file, folder, query)]), isKnown };
  const { parseSharedFile } = await import("./parse-config-file.ts");
  const layer = parseSharedFile(text.replace(/^\uFEFF/, ""), file);
  return { layer: withoutUserKeys(layer, query.userFile), isKnown };
}

function withoutUserKeys(layer: ConfigLayer, userFile: string): ConfigLayer {
  const names = listUsersNames();
  const ignored = Object.keys(layer.table).filter((key) => names.includes(key));
  const kept = Object.entries(layer.table).filter(([key]) => !names.includes(key));
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

function notSeen(file: string, folder: string, { userFile }: ProjectQuery): ConfigWarning {
  const key = formatKey(["projects", folder, "trust_level"]);
  const message = `${file} is not read, because it was not met when you first started in this project: a command may have written it. Look at it; to accept it, put ${key} = "trusted" at the top of ${userFile}.`;
  return { code: "project_config_changed", message };
}

function notTrusted(files: readonly string[], { root, userFile }: ProjectQuery): ConfigWarning {
  const key = formatKey(["projects", root, "trust_level"]);
  const are = files.length === 1 ? "is" : "are";
  const it = files.length === 1 ? "it" : "them";
  const message = `${files.join(" and ")} ${are} not read, because you have not said that you trust this project. Put ${key} = "trusted" at the top of ${userFile} to read ${it}, or = "untrusted" to end this notice.`;
  return { code: "project_not_trusted", message };
}
