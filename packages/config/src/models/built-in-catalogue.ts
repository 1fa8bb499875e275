import type { ModelCatalogue } from "./model-info.ts";
import type { ModelTable, PriceTable } from "../keys/config-table.ts";

/** The part of the first models' 400,000 tokens that is left for a request, beside the longest response. */
const shared: ModelTable = { provider: "openai", context_window: 272_000, max_output_tokens: 128_000 };
const gpt5: ModelTable = { ...shared, family: "gpt-5" };
const codex: ModelTable = { ...shared, family: "gpt-5-codex" };
/** They take more, at a higher price. */
const gpt55: ModelTable = { ...gpt5, efforts: ["none", "low", "medium", "high", "xhigh"] };
const gpt56: ModelTable = {
  ...gpt5,
  efforts: ["none", "low", "medium", "high", "xhigh", "max"],
  sent_reasoning_context: "all_turns",
};
const gpt6: ModelTable = { ...gpt56, default_effort: "medium" };
const gpt6Deep: ModelTable = { ...gpt6, efforts: ["low", "medium", "high", "xhigh", "max"] };

/** The effort that the Codex CLI sends to a model when the user sets none. */
const atMedium: ModelTable = { sent_effort: "medium" };
const briefAtMedium: ModelTable = { sent_effort: "medium", sent_verbosity: "low" };
const briefAtLow: ModelTable = { sent_effort: "low", sent_verbosity: "low" };

/** Listed for those who still name them. */
const ended = { shutdown_date: "2026-07-23", hidden: true };

const toFour = ["minimal", "low", "medium", "high"];
const toThree = ["low", "medium", "high"];
const toXhigh = [...toThree, "xhigh"];

const price5 = { input: 1.25, cached_input: 0.125, output: 10 };
const price5Mini = { input: 0.25, cached_input: 0.025, output: 2 };
const price52 = { input: 1.75, cached_input: 0.175, output: 14 };
const price54 = longer({ input: 2.5, cached_input: 0.25, output: 15 });
const price55 = longer({ input: 5, cached_input: 0.5, output: 30 });
/** Less than at first (5, 0.5, 30) since 2026-08-21: "at least until 2026-11-21", with nothing said of what comes then. */
const price56Sol = longer({ input: 4, cached_input: 0.4, cache_write: 5, output: 20 });
const price56Terra = longer({ input: 2, cached_input: 0.2, cache_write: 2.5, output: 12 });
const price56Luna = longer({ input: 0.2, cached_input: 0.02, cache_write: 0.25, output: 1.2 });
const price6Astra = longer({ input: 10, cached_input: 1, cache_write: 12.5, output: 50 });
const price6Sol = longer({ input: 2, cached_input: 0.2, cache_write: 2.5, output: 10 });
const price6Luna = longer({ input: 0.1, cached_input: 0.01, cache_write: 0.125, output: 0.5 });
/** Of GPT-6.2 Sol, too. */
const price61Sol = longer({ input: 2, cached_input: 0.1, cache_write: 2.5, output: 10 });
const price61Terra = longer({ input: 1, cached_input: 0.05, cache_write: 1.25, output: 5 });

const oSeries: ModelTable = {
  provider: "openai",
  family: "default",
  context_window: 200_000,
  max_output_tokens: 100_000,
  efforts: toThree,
  default_effort: "medium",
};
const gptOss: ModelTable = { family: "gpt-oss", efforts: toThree, default_effort: "medium" };

/**
 * Models by name, without the date.
 *
 * Windows, limits and efforts: OpenAI's pages of models (developers.openai.com/api/docs/models) as
 * of 2026-11. The window is the size that a request may have; for GPT-6 models it is that of the
 * Codex CLI 0.169 (`debug models`), for those of GPT-6.2 that of 0.171, and could be larger at twice the price. Shutdown days:
 * developers.openai.com/api/docs/deprecations as of 2026-11. Prices: USD per million tokens,
 * ordinary service tier, by OpenAI's list (developers.openai.com/api/docs/pricing) and its pages of
 * models: up to gpt-5.3 as of 2026-05-05, gpt-5.4 and gpt-5.5 as of 2026-08, the others as of
 * 2026-11. Since GPT-5.6, writing to the cache costs more; listed is the price of 30 minutes, which
 * a request gets that asks for nothing else. `default_effort` is the server's own, if its page says
 * so.
 *
 * `sent_effort`, `sent_verbosity` and `sent_reasoning_context` are sent if the user sets nothing.
 * They come from captured requests: of the Codex CLI 0.92 for gpt-5 to gpt-5.2 and the codex
 * models, of 0.169 for gpt-5.5 and later, of 0.171 for those of GPT-6.2. gpt-5.3-codex and gpt-5.4,
 * which no version knows, get the values of their neighbours. `gpt-5.6` is another name of
 * gpt-5.6-sol. Nothing is sent to small models. A missing member is unknown.
 */
const builtInModels: Readonly<Record<string, ModelTable>> = {
  "gpt-6.2-astra": { ...gpt6Deep, ...briefAtLow }, // 8 and 40; what cached input costs is not known for sure
  "gpt-6.2-sol": { ...gpt6Deep, ...briefAtLow, context_window: 500_000, price: price61Sol },
  "gpt-6.1-sol": { ...gpt6Deep, ...briefAtLow, price: price61Sol },
  "gpt-6.1-terra": { ...gpt6, ...briefAtLow, context_window: 500_000, price: price61Terra },
  "gpt-6-astra": { ...gpt6Deep, ...briefAtLow, price: price6Astra },
  "gpt-6-sol": { ...gpt6, ...briefAtMedium, price: price6Sol },
  "gpt-6-luna": { ...gpt6, ...briefAtMedium, price: price6Luna },
  "gpt-5.6": { ...gpt56, ...briefAtLow, default_effort: "medium", price: price56Sol },
  "gpt-5.6-sol": { ...gpt56, ...briefAtLow, default_effort: "medium", price: price56Sol },
  "gpt-5.6-terra": { ...gpt56, ...briefAtMedium, price: price56Terra },
  "gpt-5.6-luna": { ...gpt56, ...briefAtMedium, price: price56Luna },
  "gpt-5.5": { ...gpt55, ...briefAtMedium, price: price55 },
  "gpt-5.4": { ...gpt55, ...briefAtMedium, default_effort: "none", price: price54 },
  "gpt-5.4-mini": { ...gpt55, price: { input: 0.75, cached_input: 0.075, output: 4.5 } },
  "gpt-5.3-codex": {
    ...codex,
    ...atMedium,
    efforts: toXhigh,
    default_effort: "medium",
    price: price52,
    shutdown_date: "2027-04-01",
  },
  "gpt-5.2": { ...gpt5, ...briefAtMedium, efforts: ["none", ...toXhigh], default_effort: "none", price: price52 },
  "gpt-5.2-codex": { ...codex, ...atMedium, efforts: toXhigh, default_effort: "medium", price: price52, ...ended },
  "gpt-5.1": {
    ...gpt5,
    ...briefAtMedium,
    efforts: ["none", ...toThree],
    default_effort: "none",
    price: price5,
    shutdown_date: "2027-04-01",
  },
  "gpt-5.1-codex-max": { ...codex, ...atMedium, efforts: toXhigh, default_effort: "medium", price: price5, ...ended },
  "gpt-5.1-codex": { ...codex, ...atMedium, efforts: toThree, default_effort: "medium", price: price5, ...ended },
  "gpt-5.1-codex-mini": { ...codex, price: price5Mini, ...ended },
  "gpt-5": {
    ...gpt5,
    ...atMedium,
    efforts: toFour,
    default_effort: "medium",
    price: price5,
    shutdown_date: "2026-12-11",
  },
  "gpt-5-mini": { ...gpt5, efforts: toFour, default_effort: "medium", price: price5Mini, shutdown_date: "2026-12-11" },
  "gpt-5-nano": {
    ...gpt5,
    efforts: toFour,
    default_effort: "medium",
    price: { input: 0.05, cached_input: 0.005, output: 0.4 },
    shutdown_date: "2026-12-11",
  },
  "gpt-5-codex": { ...codex, ...atMedium, efforts: toThree, default_effort: "medium", price: price5, ...ended },
  "gpt-5-codex-mini": { family: "gpt-5-codex", provider: "openai", hidden: true },
  o3: { ...oSeries, price: { input: 2, cached_input: 0.5, output: 8 }, shutdown_date: "2026-12-11" },
  "o4-mini": {
    ...oSeries,
    price: { input: 1.1, cached_input: 0.275, output: 4.4 },
    shutdown_date: "2026-10-23",
    hidden: true,
  },
  "gpt-4.1": {
    provider: "openai",
    family: "default",
    context_window: 1_047_576,
    max_output_tokens: 32_768,
    efforts: [],
    price: { input: 2, cached_input: 0.5, output: 8 },
    shutdown_date: "2027-01-14",
  },
  "gpt-oss": gptOss,
  "gpt-oss-20b": gptOss,
  "gpt-oss-120b": gptOss,
  "unroll-demo": { family: "unroll-demo", context_window: 272_000, hidden: true },
};

/** The models that come with the program. */
export const builtInCatalogue: ModelCatalogue = [{ origin: "built_in", providerId: null, tables: builtInModels }];

/**
 * Since GPT-5.4, of models with a window of 1,050,000 tokens: a request with more than 272,000 of input costs twice as much for all of
 * its input, cached or not, and half as much again for its output. (The pages of gpt-5.4 and gpt-5.5 say so of a "session"; what is
 * charged is requests.)
 */
function longer(price: Omit<PriceTable, "long">): PriceTable {
  const { input, cached_input, cache_write, output } = price;
  const twice = { input: 2 * input, cached_input: 2 * cached_input, output: toMicros(1.5 * output) };
  const written = cache_write === undefined ? {} : { cache_write: 2 * cache_write };
  return { ...price, long: { above: 272_000, ...twice, ...written } };
}

/** Without the dust of fractions. */
function toMicros(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
