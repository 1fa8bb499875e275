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

/** How long a server may take to connect, and again to begin its answer: it is asked for nothing that takes time. In ms. */
const patienceMs = 5000;

const shape = {
  "config.provider": "an object",
  "options.host": "an object",
  "options.userAgent": "text",
  "options.signal": "an object",
} as const;

/**
 * Asks the provider of the config for the list of its models, as a turn would ask it: the same address, headers, proxy and credential,
 * which is renewed where it is due. Costs nothing. `baseUrl`: the address that was asked, which with a login may be another one. Throws what `openHarness` throws for a credential.
 */
export async function reachProvider(config: ResolvedConfig, options: ReachOptions): Promise<ReachedProvider> {
  checkCall("reachProvider", { config, options }, shape);
  return askProvider(config, options, async (client, baseUrl) => ({
    ...(await client.reach(options.signal)),
    baseUrl,
  }));
}

/**
 * Whether the provider of the config has the Responses API, or only that of chat completions; null where it cannot be told. Asked as a turn
 * would ask, by two empty requests, which cost nothing. Throws what `reachProvider` throws.
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
