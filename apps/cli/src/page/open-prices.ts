import type { PriceOf } from "@unroll/accounting";
import { builtInCatalogue, ConfigError, findModelPrice } from "@unroll/config";
import { createHostEnvironment, loadProgramConfig, type ProcessIo } from "@unroll/program";

/**
 * What models cost by the catalogue, which tells the ordinary service tier's prices. A config that cannot be used keeps nobody from
 * looking at threads: then it is the catalogue that comes with the program.
 */
export async function openPrices(io: ProcessIo): Promise<PriceOf> {
  const catalogue = await loadProgramConfig({}, createHostEnvironment(io)).then(
    (config) => config.catalogue,
    (error: unknown) => {
      if (error instanceof ConfigError) return builtInCatalogue;
      throw error;
    },
  );
  return ({ model, provider, serviceTier }) =>
    serviceTier === null ? findModelPrice(catalogue, model, provider) : null;
}
