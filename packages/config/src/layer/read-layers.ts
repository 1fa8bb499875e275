import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findWorkTree } from "@unroll/files";
import { ConfigError, type ConfigWarning } from "../config-error.ts";
import type { ConfigSources, Environment, ParsedFlags } from "../config-sources.ts";
import type { ProjectTable, ProviderTable, ConfigTable } from "../keys/config-table.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { type BuiltInProvider, builtInProviders, findBuiltInProvider } from "../providers/built-in-providers.ts";
import { nestValue } from "../toml/table.ts";
import { combineLayers, combineTables, type CombinedLayers } from "./combine-layers.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { limitProjectLayer } from "./limit-project-layer.ts";
import { readProfile } from "./profile-layer.ts";
import { createChosenLayer, type ProjectTrust, readProjectLayers } from "./project-layer.ts";
import { readConfigFile } from "./read-config-file.ts";

/** Everything that sets values, and what it comes to. */
export interface ReadLayers extends CombinedLayers {
  readonly sources: ConfigSources;
  /** The working folder of the thread. It exists. */
  readonly cwd: string;
  /** See `ResolvedConfig`. */
  readonly projectRoot: string | null;
  readonly projectTrust: ProjectTrust;
  readonly projects: Readonly<Record<string, ProjectTable>>;
  /** The file of the profile in use; null: it has none. */
  readonly profileFile: string | null;
  /** Lowest first. */
  readonly layers: readonly ConfigLayer[];
  /** The layers that no project wrote. */
  readonly users: CombinedLayers;
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
  const users = combineLayers([...user, ...profile.layers, ...commandLine]);
  const projectRoot = findWorkTree(cwd);
  const root = projectRoot ?? cwd;
  const trusted = sources.trustProject ? { [root]: { trust_level: "trusted" as const } } : {};
  const projects = { ...trusted, ...users.table.projects, ...trusted }; // the first that fits counts
  const project = await readProjectLayers({
    root,
    cwd,
    codexHome: sources.codexHome,
    userFile,
    projects,
  });

  const limited = project.layers.map((layer) => limitProjectLayer(layer, { root, user: users.table, userFile }));
  const chosen = createChosenLayer(root, users);
  const set = [createBuiltInLayer(sources.env), chosen, ...user, ...limited, ...profile.layers, ...commandLine];
  const local = readLocalLayer(sources, set, commandLine);
  const layers = local === null ? set : [...(local.dropsModel ? set.map(withoutModel) : set), local];
  const combined = combineLayers(layers);
  if (sources.strict === true) refuseWarnings(combined.warnings);
  const found = { projectRoot, projectTrust: project.trust, projects };
  return { ...combined, sources, cwd, ...found, profileFile: profile.file, layers, users };
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
  // The replacement character for bytes outside UTF-8 occurs in hardly any name, so the folder
  // probably exists under another one.
  const missing = folder.includes("\ufffd") ? "has a name that is not UTF-8: rename it" : "does not exist";
  const fault = found === null ? missing : "is not a folder";
  throw new ConfigError({ code: "folder_not_found", message: `The working folder ${folder} ${fault}.` });
}

/**
 * One layer for each `-c key=value`, then one for each option that sets a key. Throws `ConfigError`
 * for an unknown key or a wrong value. Most starts have none of them, and do not load their reader.
 */
async function createArgumentLayers({ overrides, flags }: ConfigSources): Promise<readonly ConfigLayer[]> {
  const keys = (flags.keys ?? []).filter(({ value }) => value !== undefined);
  const typed = overrides.length === 0 ? [] : (await import("./parse-override.ts")).parseOverrides(overrides);
  if (keys.length === 0) return typed;
  const { checkLayer } = await import("./check-layer.ts");
  const options = keys.map(({ key, value, origin }) =>
    checkLayer({ table: nestValue(key.split("."), value), locate: () => ({ type: "argument", name: origin }) }),
  );
  return [...typed, ...options];
}

/** The lowest layer: the providers that need no configuration, moved by their environment variables. */
function createBuiltInLayer(env: Environment): ConfigLayer {
  const providers: Record<string, ProviderTable> = {};
  const moved = new Map<string | undefined, string>();
  for (const provider of builtInProviders) {
    const move = findMove(provider, env);
    providers[provider.id] = move === null ? provider.table : { ...provider.table, base_url: move.baseUrl };
    if (move !== null) moved.set(provider.id, move.variable);
  }
  return {
    table: { model_providers: providers },
    locate([, id, key]) {
      const name = key === "base_url" ? moved.get(id) : undefined;
      return name === undefined ? { type: "built_in" } : { type: "environment", name };
    },
    warnings: [],
  };
}

interface Move {
  readonly baseUrl: string;
  readonly variable: string;
}

/** A blank variable counts as unset. */
function findMove({ baseUrlVariable, portVariable }: BuiltInProvider, env: Environment): Move | null {
  const baseUrl = env[baseUrlVariable]?.trim();
  if (baseUrl) return { baseUrl, variable: baseUrlVariable };
  const port = portVariable === null ? "" : (env[portVariable]?.trim() ?? "");
  return portVariable === null || port === ""
    ? null
    : { baseUrl: `http://localhost:${port}/v1`, variable: portVariable };
}

/** The other layers' values. */
interface LocalContext {
  readonly all: ConfigTable;
  /** The command line only. */
  readonly typed: ConfigTable;
}

interface LocalLayer extends ConfigLayer {
  /** The other layers name a model of another provider, and this one has none to put over it. */
  readonly dropsModel: boolean;
}

/**
 * `--oss` and `--local-provider`: a provider on this machine, and its standard model where the command line names none and the
 * other layers name one for another provider.
 */
function createLocalLayer({ localProvider }: ParsedFlags, { all, typed }: LocalContext): LocalLayer {
  const id = localProvider ?? all.oss_provider ?? modelKeys.keys.oss_provider.default;
  const keepsModel = typed.model !== undefined || (all.model !== undefined && all.model_provider === id);
  const local = findBuiltInProvider(id)?.local ?? null;
  const standardModel = local !== null && "standardModel" in local ? local.standardModel : null;
  const model = keepsModel ? null : standardModel;
  return {
    table: { model_provider: id, ...(model === null ? {} : { model }) },
    dropsModel: !keepsModel && model === null,
    locate: () => ({ type: "argument", name: localProvider === undefined ? "--oss" : "--local-provider" }),
    warnings: [],
  };
}

/** Mistakes that the user wrote and can correct; files that are not read stay a warning. */
const strictCodes: ReadonlySet<string> = new Set([
  "key_unknown",
  "key_deprecated",
  "value_ignored",
  "effort_refused",
  "key_ignored_in_project",
]);

/** Implements `--strict-config`. Throws `ConfigError` (`config_not_strict`) that lists every mistake. */
export function refuseWarnings(warnings: readonly ConfigWarning[]): void {
  const [first, ...others] = warnings.filter(({ code }) => strictCodes.has(code));
  if (first === undefined) return;
  const more = others.map(({ message }) => `\n${message}`).join("");
  const file = first.origin?.type === "file" ? first.origin.path : undefined;
  throw new ConfigError({
    code: "config_not_strict",
    message: `--strict-config: ${first.message}${more}`,
    key: first.key,
    file,
  });
}
