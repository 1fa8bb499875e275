import type { ConfigSources } from "./config-sources.ts";
import { readLayers } from "./layer/read-layers.ts";
import { resolveConfig } from "./resolve/resolve-config.ts";
import type { ResolvedConfig } from "./resolved-config.ts";

/**
 * Reads the configuration and resolves it. Layers, later ones win: built in, `systemFile`, `$CODEX_HOME/config.toml`, the
 * `.codex/config.toml` of the project's folders from its root down to the working folder where the user trusts them and they
 * have not changed since, the profile, `-c`, flags. A missing or empty file is fine. Throws `ConfigError` for anything that
 * cannot be used; what merely has no effect is in `warnings`.
 */
export async function loadConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  return resolveConfig(await readLayers(sources));
}
