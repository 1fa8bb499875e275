import type { ResolvedConfig } from "@unroll/config";
import type { LocalContext } from "./local-context.ts";
import type { ProviderHealth } from "./provider-health.ts";
import { checkCall } from "../options/check-call.ts";

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
