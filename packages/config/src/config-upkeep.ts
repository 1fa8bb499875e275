// What looks into the config and changes it. All of it is loaded as one with its first use: a start needs none of it.
import type { ConfigWarning } from "./config-error.ts";
import type { ConfigSources } from "./config-sources.ts";
import type { ConfigReplacement } from "./edit/config-edits.ts";
import type { ConfigExplanation, ConfigFile } from "./explain-config.ts";
import type { McpServerTable } from "./keys/config-table.ts";

/**
 * Explains a key and all below it; null: every key. `key` as of `ConfigOverride`. Throws `ConfigError` as `loadConfig` for
 * files that cannot be read, and `key_unknown` for what is no key.
 */
export async function explainConfig(sources: ConfigSources, key: string | null): Promise<ConfigExplanation> {
  const { runExplainConfig } = await import("./upkeep.ts");
  return runExplainConfig(sources, key);
}

/** The files of the layers, lowest first, whether they are there or not. Throws `ConfigError` as `loadConfig`. */
export async function listConfigFiles(sources: ConfigSources): Promise<readonly ConfigFile[]> {
  const { runListConfigFiles } = await import("./upkeep.ts");
  return runListConfigFiles(sources);
}

/**
 * Sets a key of a config file, in the place of the value that is there, or where the key belongs; comments, order and line
 * ends stay. `key` as of `ConfigOverride`; `value` is TOML, or else a string as it stands. A file that is not there is made.
 * Throws `ConfigError`: `key_unknown` for what is no key, `value_invalid` for a wrong value, `file_locked`,
 * `edit_impossible` where only a person can change the file, and those of a file that cannot be read. Nothing is written then.
 */
export async function setConfigKey(file: string, key: string, value: string): Promise<void> {
  const { runSetConfigKey } = await import("./upkeep.ts");
  await runSetConfigKey(file, key, value);
}

/** Takes a key, or a table with all of its keys, out of a config file. Returns whether it was there. Throws as `setConfigKey`. */
export async function unsetConfigKey(file: string, key: string): Promise<boolean> {
  const { runUnsetConfigKey } = await import("./upkeep.ts");
  return runUnsetConfigKey(file, key);
}

/**
 * Puts a text that a person edited in the place of a config file, unless that has changed since they began. Returns what the
 * text has no effect in. Throws `ConfigError`, with its place in the draft, for a text that no start could use, and
 * `edit_impossible`, `file_locked`. Nothing is written then.
 */
export async function replaceConfigText(
  file: string,
  replacement: ConfigReplacement,
): Promise<readonly ConfigWarning[]> {
  const { runReplaceConfigText } = await import("./upkeep.ts");
  return runReplaceConfigText(file, replacement);
}

/**
 * Adds `[mcp_servers.ID]` to a config file behind the others, and changes nothing else in it: comments, order and line
 * ends stay. A file that is not there is made. Throws `ConfigError`: `mcp_server_invalid` for a server that is there
 * already or cannot be used, `value_invalid` for a wrong value, `edit_impossible` where only a person can change the file,
 * and those of a file that cannot be read. Nothing is written then.
 */
export async function addMcpServer(file: string, id: string, server: McpServerTable): Promise<void> {
  const { runAddMcpServer } = await import("./upkeep.ts");
  return runAddMcpServer(file, id, server);
}

/** Takes all of `mcp_servers.ID` out of a config file, and nothing else. Returns whether it was there. Throws as `addMcpServer`. */
export async function removeMcpServer(file: string, id: string): Promise<boolean> {
  const { runRemoveMcpServer } = await import("./upkeep.ts");
  return runRemoveMcpServer(file, id);
}

/** A JSON Schema (draft 2020-12) of `config.toml`, for editors: every key with its meaning, its default and its choices. */
export async function loadConfigJsonSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { createConfigJsonSchema } = await import("./upkeep.ts");
  return createConfigJsonSchema();
}

/** A JSON Schema (draft 2020-12) of the file that `model_catalog_json` names. */
export async function loadModelFileSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { createModelFileSchema } = await import("./upkeep.ts");
  return createModelFileSchema();
}
