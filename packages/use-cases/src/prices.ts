import type { PriceOf } from "@unroll/accounting";
import { builtInCatalogue, ConfigError, findModelPrice } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import { loadProgramConfig } from "@unroll/program";

/** What models cost by a catalogue, which has the prices of the ordinary service tier only. */
export function toPriceOf({ catalogue }: Pick<ResolvedConfig, "catalogue">): PriceOf {
  return ({ model, provider, serviceTier }) =>
    serviceTier === null ? findModelPrice(catalogue, model, provider) : null;
}

/** By the user's catalogue; a config that cannot be used keeps nobody from looking at threads: then by the built-in one. */
export async function readPrices(host: Host): Promise<PriceOf> {
  const config = await loadProgramConfig({}, host).catch((error: unknown) => {
    if (error instanceof ConfigError) return { catalogue: builtInCatalogue };
    throw error;
  });
  return toPriceOf(config);
}
