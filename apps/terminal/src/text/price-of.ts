import type { PriceOf } from "@unroll/accounting";
import { findModelPrice } from "@unroll/config";

/** By the public lists, which tell the ordinary service tier's. */
export const priceOf: PriceOf = ({ model, provider, serviceTier }) =>
  serviceTier === null ? findModelPrice(model, provider) : null;
