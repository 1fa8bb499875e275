import { accountThread, type PriceOf, type ThreadAccount } from "@unroll/accounting";
import { builtInCatalogue, ConfigError, findModelPrice } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import { loadProgramConfig } from "@unroll/program";
import type { JournalEntry } from "@unroll/protocol";

/** An open thread's usage, cached tokens, causes of misses, and cost by its own config. */
export function reportCache(
  entries: readonly JournalEntry[],
  config: Pick<ResolvedConfig, "catalogue">,
): ThreadAccount {
  return accountThread(entries, toPriceOf(config));
}

/** The same of a saved thread, by the user's prices. */
export async function reportSavedCache(entries: readonly JournalEntry[], host: Host): Promise<ThreadAccount> {
  return accountThread(entries, await readPrices(host));
}

/** The prices of models by a catalogue, which has only those of the ordinary service tier. */
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
