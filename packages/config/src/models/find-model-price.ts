import type { ModelPrice } from "@unroll/protocol";

const gpt5: ModelPrice = { input: 1.25, cachedInput: 0.125, output: 10 };
const gpt5Mini: ModelPrice = { input: 0.25, cachedInput: 0.025, output: 2 };
const gpt52: ModelPrice = { input: 1.75, cachedInput: 0.175, output: 14 };

/**
 * USD per million tokens, ordinary service tier, of the models whose price has no further conditions. Source: OpenAI's public
 * price list (developers.openai.com/api/docs/pricing) as of 2026-05-05.
 */
const pricesByModel: Readonly<Record<string, ModelPrice>> = {
  "gpt-5": gpt5,
  "gpt-5-mini": gpt5Mini,
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "gpt-5-codex": gpt5,
  "gpt-5.1": gpt5,
  "gpt-5.1-codex": gpt5,
  "gpt-5.1-codex-max": gpt5,
  "gpt-5.1-codex-mini": gpt5Mini,
  "gpt-5.2": gpt52,
  "gpt-5.2-codex": gpt52,
  "gpt-5.3-codex": gpt52,
};

/**
 * What a model of a provider costs by its public list; null where that is not known for sure. A dated name (`gpt-5-2025-08-07`)
 * is the model's; the same model costs otherwise at other providers.
 */
export function findModelPrice(model: string, provider: string): ModelPrice | null {
  if (provider !== "openai") return null;
  const name = model.replace(/-\d{4}-\d\d-\d\d$/, "");
  return Object.hasOwn(pricesByModel, name) ? (pricesByModel[name] ?? null) : null;
}
