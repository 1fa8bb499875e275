import type { Environment } from "../config-sources.ts";
import { builtInProviders } from "../providers/built-in-providers.ts";
import type { ProviderTable } from "../schema/config-table.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** The lowest layer: the providers that need no configuration, moved by their environment variables. */
export function createBuiltInLayer(env: Environment): ConfigLayer {
  const providers: Record<string, ProviderTable> = {};
  const moved = new Map<string | undefined, string>();
  for (const { id, table, baseUrlVariable } of builtInProviders) {
    const baseUrl = env[baseUrlVariable]?.trim();
    providers[id] = baseUrl ? { ...table, base_url: baseUrl } : table;
    if (baseUrl) moved.set(id, baseUrlVariable);
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
