import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findWorkTree } from "@unroll/files";
import type { ConfigSources } from "../config-sources.ts";
import { ConfigError } from "../fault/config-error.ts";
import type { ProjectTable } from "../keys/config-table.ts";
import { createArgumentLayers } from "./argument-layers.ts";
import { createBuiltInLayer } from "./built-in-layer.ts";
import { combineLayers, combineTables, type CombinedLayers } from "./combine-layers.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { createLocalLayer, type LocalLayer } from "./local-layer.ts";
import { readProfile } from "./profile-layer.ts";
import { type ProjectTrust, readProjectLayers } from "./project-layer.ts";
import { readConfigFile } from "./read-config-file.ts";
import { refuseWarnings } from "./refuse-warnings.ts";

/** Everything that sets values, and what it comes to. */
export interface ReadLayers extends CombinedLayers {
  readonly sources: ConfigSources;
  /** The working folder of the thread. It exists. */
  readonly cwd: string;
  /** See `ResolvedConfig`. */
  readonly projectRoot: string | null;
  readonly projectTrust: ProjectTrust;
  readonly projects: Readonly<Record<string, ProjectTable>>;
  /** Of the profile that is in use; null: it has none. */
  readonly profileFile: string | null;
  /** Lowest first. */
  readonly layers: readonly ConfigLayer[];
}

/** Reads all layers: see `loadConfig` for their order, and what it throws. */
export async function readLayers(sources: ConfigSources): Promise<ReadLayers> {
  const cwd = await findWorkingFolder(sources);
  const userFile = join(sources.codexHome, "config.toml");
  const { systemFile } = sources;
  const system = systemFile === undefined || systemFile === userFile ? [] : [await readConfigFile(systemFile)];
  const user = [...system, ...(sources.ignoreUserFile ? [] : [await readConfigFile(userFile)])];
  const commandLine = await createArgumentLayers(sources);

  const asked = { asked: sources.profile ?? null, codexHome: sources.codexHome };
  const profile = await readProfile([...user, ...commandLine], asked);
  const { projects: said } = combineTables([...user, ...profile.layers, ...commandLine]);
  const projectRoot = findWorkTree(cwd);
  const root = projectRoot ?? cwd;
  const trusted = sources.trustProject ? { [root]: { trust_level: "trusted" as const } } : {};
  const projects = { ...trusted, ...said, ...trusted }; // the first that fits counts
  const project = await readProjectLayers({
    root,
    cwd,
    codexHome: sources.codexHome,
    userFile,
    projects,
  });

  const set = [createBuiltInLayer(sources.env), ...user, ...project.layers, ...profile.layers, ...commandLine];
  const local = readLocalLayer(sources, set, commandLine);
  const layers = local === null ? set : [...(local.dropsModel ? set.map(withoutModel) : set), local];
  const combined = combineLayers(layers);
  if (sources.strict === true) refuseWarnings(combined.warnings);
  const found = { projectRoot, projectTrust: project.trust, projects };
  return { ...combined, sources, cwd, ...found, profileFile: profile.file, layers };
}

function readLocalLayer(
  { flags }: ConfigSources,
  set: readonly ConfigLayer[],
  commandLine: readonly ConfigLayer[],
): LocalLayer | null {
  if (flags.oss !== true && flags.localProvider === undefined) return null;
  return createLocalLayer(flags, { all: combineTables(set), typed: combineTables(commandLine) });
}

function withoutModel({ table: { model: _model, ...table }, ...layer }: ConfigLayer): ConfigLayer {
  return { ...layer, table };
}

async function findWorkingFolder({ cwd, flags }: ConfigSources): Promise<string> {
  const folder = resolve(cwd, flags.cwd ?? "");
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return folder;
  const fault = found === null ? describeMissing(folder) : "is not a folder";
  throw new ConfigError({ code: "folder_not_found", message: `The working folder ${folder} ${fault}.` });
}

/** What stands for bytes that are no UTF-8 is in hardly any name, so the folder is probably there, by another one. */
function describeMissing(folder: string): string {
  return folder.includes("\ufffd") ? "cannot be named here, as its name is not UTF-8: rename it" : "does not exist";
}
