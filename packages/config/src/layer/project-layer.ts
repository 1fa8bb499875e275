import { existsSync, realpathSync } from "node:fs";
import { join, dirname } from "node:path";
import { realpath, link, mkdir } from "node:fs/promises";
import { systemErrorCode } from "@unroll/text";
import { findWorkTree, readPlainFile } from "@unroll/files";
import type { ConfigWarning } from "../config-error.ts";
import type { ProjectTable } from "../keys/config-table.ts";
import type { ResolvedConfig } from "../resolved-config.ts";
import { formatKey } from "../toml/table.ts";
import type { CombinedLayers } from "./combine-layers.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { readConfigText } from "./read-config-file.ts";

interface ProjectQuery {
  /** The root of the repository around the working folder; without a repository, that folder. */
  readonly root: string;
  /** The working folder: the root, or a folder below it. */
  readonly cwd: string;
  readonly codexHome: string;
  /** The user's `config.toml`, which holds the trust decisions. */
  readonly userFile: string;
  readonly projects: Readonly<Record<string, ProjectTable>>;
}

/** A project's own configuration. */
interface ProjectLayers {
  readonly trust: ProjectTrust;
  /** From the root down to the working folder. */
  readonly layers: readonly ConfigLayer[];
}

/** Whether the user trusts the project; null: not decided. */
export type ProjectTrust = "trusted" | "untrusted" | null;

/**
 * The config of the project's folders. It is read only if you trust the project, and only while it
 * is what you trusted. It may set every key.
 */
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
  /**
   * The project is known, and you have decided nothing about this folder: you have not seen what
   * appeared in it.
   */
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
  return { layer: parseSharedFile(text.replace(/^\uFEFF/, ""), file), isKnown };
}

function notAccepted(file: string, record: string): ConfigWarning {
  const message = `${file} is not read: it changed since you first started in this project, and a command may have changed it. Check it. To accept it, remove ${record}.`;
  return { code: "project_config_changed", message };
}

function notSeen(file: string, folder: string, { userFile }: ProjectQuery): ConfigWarning {
  const key = formatKey(["projects", folder, "trust_level"]);
  const message = `${file} is not read: unroll did not find it when you first started in this project, and a command may have written it. Check it. To accept it, put ${key} = "trusted" at the top of ${userFile}.`;
  return { code: "project_config_changed", message };
}

function notTrusted(files: readonly string[], { root, userFile }: ProjectQuery): ConfigWarning {
  const key = formatKey(["projects", root, "trust_level"]);
  const are = files.length === 1 ? "is" : "are";
  const it = files.length === 1 ? "it" : "them";
  const message = `${files.join(" and ")} ${are} not read, because you have not trusted this project yet. Put ${key} = "trusted" at the top of ${userFile} to read ${it}, or "untrusted" to hide this notice.`;
  return { code: "project_not_trusted", message };
}

/** A folder's configuration as it is now. */
interface FolderConfig {
  readonly codexHome: string;
  /** The folder, with every link followed. */
  readonly folder: string;
  /** Null: there is none. */
  readonly text: string | null;
}

/**
 * How a folder's configuration compares with its saved record. `record` names the file that holds
 * it, and that of an earlier version; deleting them accepts the present configuration. A home that
 * cannot be written keeps no records: everything is `unrecorded`.
 */
interface FolderRecord {
  readonly type: "same" | "changed" | "unrecorded";
  readonly record: string;
}

/**
 * You trust a configuration that you have seen. A command in the sandbox may write the `.codex` of
 * another project, or of this one while no sandbox protects it. So the hash of each trusted
 * folder's configuration, or its absence, is recorded when it is first read, in the harness's own
 * home, where commands cannot write.
 */
async function compareWithRecord({ codexHome, folder, text }: FolderConfig): Promise<FolderRecord> {
  const { record, state } = await findRecord(codexHome, folder);
  if (state === null) return { type: "unrecorded", record };
  if (state === (await toState(text))) return { type: "same", record };
  const hashed = join(dirname(record), await toHash(folder));
  return { type: "changed", record: hashed !== record && existsSync(hashed) ? `${record} and ${hashed}` : record };
}

/** Accepts a configuration as it is. */
async function writeRecord({ codexHome, folder, text }: FolderConfig): Promise<void> {
  const { record } = await findRecord(codexHome, folder);
  try {
    await mkdir(dirname(record), { mode: 0o700 }).catch(() => {});
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(record, `${await toState(text)}  ${folder}\n`, { mode: 0o600 });
  } catch {
    // The next start tries again.
  }
}

/**
 * The file of a folder's record, and the state in it; null: there is none. The folder is its name: a
 * hash would load `node:crypto`, which takes 1.4 MiB and 5 % of the CPU time of one message. The name
 * is a hash if the other is too long, or holds another folder's record (the file system ignores case).
 * Earlier versions named every record by a hash. Such a record gets the new name too, and keeps the
 * old one, because an earlier version may still read it.
 */
async function findRecord(codexHome: string, folder: string): Promise<{ record: string; state: string | null }> {
  const own = folder.toWellFormed();
  const name = encodeURIComponent(own);
  const record = join(codexHome, "project-files", name);
  const named = name.length > longestName ? null : await readRecord(record);
  if (named !== null && (named.folder ?? own) === own) return { record, state: named.state };
  const hashed = join(dirname(record), await toHash(folder));
  const state = (await readRecord(hashed))?.state ?? null;
  if (named !== null || name.length > longestName) return { record: hashed, state };
  if (state !== null) await link(hashed, record).catch(() => {}); // the next start tries again
  return { record, state };
}

/** eCryptfs allows about 143 bytes; the name of a file that is not written to its end has about 11 more. */
const longestName = 120;

async function toState(text: string | null): Promise<string> {
  return text === null ? "none" : await toHash(text);
}

async function toHash(text: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}

/** Null: there is none. A record that cannot be read never matches. */
async function readRecord(path: string): Promise<{ readonly state: string; readonly folder: string | null } | null> {
  try {
    const [state = "", folder = null] = (await readPlainFile(path)).split(/ {2}(.*)\n$/s);
    return { state, folder };
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? null : { state: "", folder: null };
  }
}

type TrustLevel = NonNullable<ProjectTable["trust_level"]>;

/**
 * Whether you trust a project; null: not decided. A path in the config may be another name of the
 * same folder; if no path is the folder's own, the first such name counts.
 */
function findTrustLevel(root: string, projects: Readonly<Record<string, ProjectTable>>): TrustLevel | null {
  const name = findProjectName(root, projects);
  return name === null ? null : (projects[name]?.trust_level ?? null);
}

/** The name of a project in the config; null: it has none. */
function findProjectName(root: string, projects: Readonly<Record<string, ProjectTable>>): string | null {
  const names = Object.keys(projects);
  if (names.length === 0) return null;
  if (Object.hasOwn(projects, root)) return root;
  const real = toReal(root);
  return names.find((name) => toReal(name) === real) ?? null;
}

/** The sandbox mode that you chose for a project: the lowest layer of all. */
export function createChosenLayer(root: string, { table, origins }: CombinedLayers): ConfigLayer {
  const { projects = {} } = table;
  const name = findProjectName(root, projects);
  const mode = name === null ? undefined : projects[name]?.sandbox_mode;
  if (name === null || mode === undefined) return createEmptyLayer();
  const origin = origins.get(formatKey(["projects", name, "sandbox_mode"])) ?? { type: "built_in" };
  return { table: { sandbox_mode: mode }, locate: () => origin, warnings: [] };
}

/**
 * Synchronous, not one promise each: users have hundreds of projects, and each start looks at all
 * of them.
 */
function toReal(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // it was deleted
  }
}

/**
 * The project around a folder, and whether you trust it, as `loadConfig` finds them for its working
 * folder. Use it to move to another folder with the same config. `folder` is absolute. Looks at the
 * disk, and throws nothing.
 */
export function findProject(
  { projects }: Pick<ResolvedConfig, "projects">,
  folder: string,
): Pick<ResolvedConfig, "projectRoot" | "projectTrust"> {
  const projectRoot = findWorkTree(folder);
  return { projectRoot, projectTrust: findTrustLevel(projectRoot ?? folder, projects) };
}

/** The folders from `root` down to `cwd`, both included. `cwd` is `root` or below it. */
export function listFolders(root: string, cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(dirname(folder));
  return folders;
}
