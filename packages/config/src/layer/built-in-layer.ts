import type { Environment } from "../config-sources.ts";
import { type BuiltInProvider, builtInProviders } from "../providers/built-in-providers.ts";
import type { ProviderTable } from "../keys/config-table.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** The lowest layer: the providers that need no configuration, moved by their environment variables. */
export function createBuiltInLayer(env: Environment): ConfigLayer {
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
