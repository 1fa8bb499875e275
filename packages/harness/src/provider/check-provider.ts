import type { ResolvedConfig } from "@unroll/config";
import type { LocalContext } from "./local-server.ts";
import type { ProviderHealth } from "./provider-health.ts";
import { checkCall } from "../check-options.ts";
import type { FoundServer } from "./look-for-servers.ts";

/**
 * Asks the config's provider about its state, and whether it has the model. Sends a few requests,
 * none to a model. Null: the provider is not a program on this machine, so there is nothing to ask.
 * Rejects on abort.
 */
export async function checkProvider(config: ResolvedConfig, context: LocalContext): Promise<ProviderHealth | null> {
  checkCall("checkProvider", { config, context }, { "config.provider": "an object", "context.env": "an object" });
  const { local } = config.provider;
  if (local === null) return null;
  const { checkLocalServer } = await import("./check-local-server.ts");
  return checkLocalServer(config, local, context);
}

/**
 * Finds model servers at these ports of 127.0.0.1. Sends one `GET /v1/models` to each at the same
 * time, without credential, proxy or redirects, and waits at most 300 ms. Leaves out what does not
 * answer like a model server. No server is selected by this.
 */
export async function findLocalServers(ports: readonly number[], signal: AbortSignal): Promise<readonly FoundServer[]> {
  const { lookForServers } = await import("./look-for-servers.ts");
  return lookForServers(ports, signal);
}
