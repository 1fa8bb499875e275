import type { PriceOf } from "@unroll/accounting";
import { findModelPrice, type ResolvedConfig } from "@unroll/config";

/** What models cost by the catalogue, which tells the ordinary service tier's prices. */
export function toPriceOf({ catalogue }: Pick<ResolvedConfig, "catalogue">): PriceOf {
  return ({ model, provider, serviceTier }) =>
    serviceTier === null ? findModelPrice(catalogue, model, provider) : null;
}
