import type { ModelCatalogue } from "./model-info.ts";
import type { ModelTable } from "./model-table.ts";

/** What a request may hold of the 400,000 tokens of the first models, beside the longest answer. */
const shared: ModelTable = { provider: "openai", context_window: 272_000, max_output_tokens: 128_000 };
const gpt5: ModelTable = { ...shared, family: "gpt-5" };
const codex: ModelTable = { ...shared, family: "gpt-5-codex" };
/** They take more; what is beyond is charged twice, so their price is not one. */
const gpt55: ModelTable = { ...gpt5, efforts: ["none", "low", "medium", "high", "xhigh"] };
const gpt56: ModelTable = { ...gpt5, efforts: ["none", "low", "medium", "high", "xhigh", "max"] };
const gpt6: ModelTable = { ...gpt56, default_effort: "medium" };
const gpt6Deep: ModelTable = { ...gpt6, efforts: ["low", "medium", "high", "xhigh", "max"] };

/** Listed for those who still name them. */
const ended = { shutdown_date: "2026-07-23", hidden: true };

const toFour = ["minimal", "low", "medium", "high"];
const toThree = ["low", "medium", "high"];
const toXhigh = [...toThree, "xhigh"];

const price5 = { input: 1.25, cached_input: 0.125, output: 10 };
const price5Mini = { input: 0.25, cached_input: 0.025, output: 2 };
const price52 = { input: 1.75, cached_input: 0.175, output: 14 };

const gptOss: ModelTable = { family: "gpt-oss", efforts: toThree, default_effort: "medium" };

/**
 * By name, without its date. Windows, bounds and efforts: OpenAI's pages of models (developers.openai.com/api/docs/models) as of
 * 2026-11; the window is what a request may hold, for those of GPT-6 as the Codex CLI 0.169 lists it (`debug models`): it could be
 * larger, at twice the price. Days of shutdown: OpenAI's page of them (developers.openai.com/api/docs/deprecations) as of 2026-11. Prices:
 * USD per million tokens, ordinary service tier, of the models whose price has no further conditions, by OpenAI's list
 * (developers.openai.com/api/docs/pricing) as of 2026-05-05, that of gpt-5.4-mini as of 2026-06. `default_effort` is the server's own,
 * where its page says so. What is not said is not known.
 */
const builtInModels: Readonly<Record<string, ModelTable>> = {
  "gpt-6.2-astra": gpt6Deep,
  "gpt-6.2-sol": gpt6Deep,
  "gpt-6.1-sol": gpt6Deep,
  "gpt-6.1-terra": { ...gpt6, context_window: 500_000 },
  "gpt-6-astra": gpt6Deep,
  "gpt-6-sol": gpt6,
  "gpt-6-luna": gpt6,
  "gpt-5.6": { ...gpt56, default_effort: "medium" },
  "gpt-5.6-sol": { ...gpt56, default_effort: "medium" },
  "gpt-5.6-terra": gpt56,
  "gpt-5.6-luna": gpt56,
  "gpt-5.5": gpt55,
  "gpt-5.4": { ...gpt55, default_effort: "none" },
  "gpt-5.4-mini": { ...gpt55, price: { input: 0.75, cached_input: 0.075, output: 4.5 } },
  "gpt-5.3-codex": {
    ...codex,
    efforts: toXhigh,
    default_effort: "medium",
    price: price52,
    shutdown_date: "2027-04-01",
  },
  "gpt-5.2": { ...gpt5, efforts: ["none", ...toXhigh], default_effort: "none", price: price52 },
  "gpt-5.2-codex": { ...codex, efforts: toXhigh, default_effort: "medium", price: price52, ...ended },
  "gpt-5.1": {
    ...gpt5,
    efforts: ["none", ...toThree],
    default_effort: "none",
    price: price5,
    shutdown_date: "2027-04-01",
  },
  "gpt-5.1-codex-max": { ...codex, efforts: toXhigh, default_effort: "medium", price: price5, ...ended },
  "gpt-5.1-codex": { ...codex, efforts: toThree, default_effort: "medium", price: price5, ...ended },
  "gpt-5.1-codex-mini": { ...codex, price: price5Mini, ...ended },
  "gpt-5": { ...gpt5, efforts: toFour, default_effort: "medium", price: price5, shutdown_date: "2026-12-11" },
  "gpt-5-mini": { ...gpt5, efforts: toFour, default_effort: "medium", price: price5Mini, shutdown_date: "2026-12-11" },
  "gpt-5-nano": {
    ...gpt5,
    efforts: toFour,
    default_effort: "medium",
    price: { input: 0.05, cached_input: 0.005, output: 0.4 },
    shutdown_date: "2026-12-11",
  },
  "gpt-5-codex": { ...codex, efforts: toThree, default_effort: "medium", price: price5, ...ended },
  "gpt-5-codex-mini": { family: "gpt-5-codex", provider: "openai", hidden: true },
  "gpt-oss": gptOss,
  "gpt-oss-20b": gptOss,
  "gpt-oss-120b": gptOss,
  "unroll-demo": { family: "unroll-demo", hidden: true },
};

/** What comes with the program. */
export const builtInCatalogue: ModelCatalogue = [{ origin: "built_in", providerId: null, tables: builtInModels }];
