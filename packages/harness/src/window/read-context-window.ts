import type { ResolvedConfig } from "@unroll/config";
import type { ModelFamily } from "@unroll/protocol";
import { type ReachOptions, reachProvider } from "../model/reach-provider.ts";
import { checkCall } from "../check-options.ts";

/**
 * The context window that a thread of this config would use. Asks the server if it may know better
 * than the config, at no cost. Throws the errors of `openHarness` for a credential.
 */
export async function readContextWindow(
  config: ResolvedConfig,
  options: ReachOptions,
): Promise<Pick<ModelFamily, "contextWindow" | "windowOrigin">> {
  const shape = { "config.provider": "an object", "options.host": "an object", "options.signal": "an object" } as const;
  checkCall("readContextWindow", { config, options }, shape);
  const [{ withServedWindow }, { isWindowAsked, readServedWindow }] = await Promise.all([
    import("@unroll/config"),
    import("./read-served-window.ts"),
  ]);
  const { host, signal } = options;
  const reach = (): ReturnType<typeof reachProvider> => reachProvider(config, options);
  const served = isWindowAsked(config) ? await readServedWindow(config, { env: host.env, signal, reach }) : null;
  return (served === null ? config : withServedWindow(config, served)).modelFamily;
}
