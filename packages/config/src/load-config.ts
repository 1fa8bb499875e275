import type { ConfigSources } from "./config-sources.ts";
import { readLayers } from "./layer/read-layers.ts";
import { refuseWarnings } from "./layer/refuse-warnings.ts";
import { openCatalogue } from "./catalogue/open-catalogue.ts";
import { resolveConfig } from "./resolve/resolve-config.ts";
import type { ResolvedConfig } from "./resolved-config.ts";

/**
 * Reads the configuration and resolves it. Layers, later ones win: built in, `systemFile`, `$CODEX_HOME/config.toml`, the
 * `.codex/config.toml` of the project's folders from its root down to the working folder where the user trusts them and they
 * have not changed since, the profile, `-c`, flags. A missing or empty file is fine. Throws `ConfigError` for anything that
 * cannot be used; what merely has no effect is in `warnings`.
 */
export async function loadConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  const read = await readLayers(sources);
  const config = resolveConfig({ ...read, catalogue: await openCatalogue(read) });
  if (sources.strict === true) refuseWarnings(config.warnings);
  return config;
}
