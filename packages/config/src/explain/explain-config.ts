import type { ConfigSources } from "../config-sources.ts";
import type { ConfigExplanation } from "./config-explanation.ts";
import type { ConfigFile } from "./config-file.ts";

/**
 * Explains a key and all below it; null: every key. `key` as of `ConfigOverride`. Throws `ConfigError` as `loadConfig` for
 * files that cannot be read, and `key_unknown` for what is no key.
 */
export async function explainConfig(sources: ConfigSources, key: string | null): Promise<ConfigExplanation> {
  const { runExplainConfig } = await import("./run-explain-config.ts");
  return runExplainConfig(sources, key);
}

/** The files of the layers, lowest first, whether they are there or not. Throws `ConfigError` as `loadConfig`. */
export async function listConfigFiles(sources: ConfigSources): Promise<readonly ConfigFile[]> {
  const { runListConfigFiles } = await import("./run-list-config-files.ts");
  return runListConfigFiles(sources);
}
