import { type ModelInfo, renderEfforts } from "@unroll/config";
import { formatTokenLimit } from "@unroll/text";

/** The window, the price and the efforts of a model at a provider (its id), as far as they are known, in one line. */
export function describeModel(info: ModelInfo, provider: string): string {
  const { family } = info;
  const price = info.provider === null || info.provider === provider ? info.price : null;
  const window = `${formatTokenLimit(family.contextWindow)} tokens${family.windowOrigin === "guess" ? " (a guess)" : ""}`;
  const cost = price === null ? [] : [`$${price.input} in, $${price.output} out per million`];
  const efforts =
    family.efforts === null ? [] : family.efforts.length === 0 ? ["no effort"] : [`effort ${renderEfforts(info)}`];
  return [window, ...cost, ...efforts].join("; ");
}
