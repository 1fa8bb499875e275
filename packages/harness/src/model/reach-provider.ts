import type { ResolvedConfig } from "@unroll/config";
import type { ReachOutcome, ResponsesClient, ServerApi } from "@unroll/responses-client";
import type { Host } from "../host/host.ts";
import { checkCall } from "../check-options.ts";

export interface ReachOptions {
  readonly host: Host;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

type ReachedProvider = ReachOutcome & { readonly baseUrl: string };

/**
 * In ms: how long a server may take to connect, and again to start its response. It is asked for
 * nothing slow.
 */
const patienceMs = 5000;

const shape = {
  "config.provider": "an object",
  "options.host": "an object",
  "options.userAgent": "text",
  "options.signal": "an object",
} as const;

/**
 * Asks the config's provider for its list of models, exactly as a turn would: same address,
 * headers, proxy and credential, which is renewed if due. Costs nothing. `baseUrl`: the address
 * that was asked, which may differ with a login. Throws the errors of `openHarness` for a
 * credential.
 */
export async function reachProvider(config: ResolvedConfig, options: ReachOptions): Promise<ReachedProvider> {
  checkCall("reachProvider", { config, options }, shape);
  return askProvider(config, options, async (client, baseUrl) => ({
    ...(await client.reach(options.signal)),
    baseUrl,
  }));
}

/**
 * Whether the config's provider has the Responses API, or only chat completions; null: unknown.
 * Sends two empty requests as a turn would, which cost nothing. Throws the errors of
 * `reachProvider`.
 */
export async function findProviderApi(config: ResolvedConfig, options: ReachOptions): Promise<ServerApi> {
  checkCall("findProviderApi", { config, options }, shape);
  return askProvider(config, options, (client) => client.findApi(options.signal));
}

async function askProvider<Told>(
  config: ResolvedConfig,
  { host, userAgent }: ReachOptions,
  ask: (client: ResponsesClient, baseUrl: string) => Promise<Told>,
): Promise<Told> {
  const [{ openClient }, { createLearnedSecrets }] = await Promise.all([
    import("./open-model.ts"),
    import("../auth/learned-secrets.ts"),
  ]);
  const patience = { connectTimeoutMs: patienceMs, firstByteTimeoutMs: patienceMs, idleTimeoutMs: patienceMs };
  const context = { host, userAgent, learned: createLearnedSecrets() };
  const { client, baseUrl, settled } = await openClient(config, context, patience);
  try {
    return await ask(client, baseUrl);
  } finally {
    client.close();
    await settled();
  }
}
