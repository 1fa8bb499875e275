import type { ResolvedConfig } from "@unroll/config";
import type { LocalContext } from "./local-server.ts";
import type { ProviderHealth } from "./provider-health.ts";
import { checkCall } from "../check-options.ts";
import type { FoundServer } from "./look-for-servers.ts";

/**
 * Asks the server of the config's provider how it is, and whether it has the model: with a few requests, none to a model. Null
 * for a provider that is no program of this machine (`ollama`, `lmstudio`): there is nothing to ask. Rejects on abort.
 */
export async function checkProvider(config: ResolvedConfig, context: LocalContext): Promise<ProviderHealth | null> {
  checkCall("checkProvider", { config, context }, { "config.provider": "an object", "context.env": "an object" });
  const { local } = config.provider;
  if (local === null) return null;
  const { checkLocalServer } = await import("./check-local-server.ts");
  return checkLocalServer(config, local, context);
}

/**
 * Looks who listens at these ports of 127.0.0.1: one `GET /v1/models` each, side by side, with no credential, through no proxy, after
 * no redirect, for at most 300 ms. What does not answer as a server of models does is left out. Nobody is used by this.
 */
export async function findLocalServers(ports: readonly number[], signal: AbortSignal): Promise<readonly FoundServer[]> {
  const { lookForServers } = await import("./look-for-servers.ts");
  return lookForServers(ports, signal);
}
