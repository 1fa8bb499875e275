import { renderEfforts } from "@unroll/config";
import type { ModelPrice, TokenRates } from "@unroll/protocol";
import { renderTable, type TableColumn } from "@unroll/report";
import { formatTokenLimit } from "@unroll/text";
import type { KnownModels } from "@unroll/use-cases/models";

type Model = KnownModels["models"][number];
type Column = TableColumn<Model>;

const long = {
  answer: {
    title: "answer",
    value: ({ maxOutputTokens }) => (maxOutputTokens === null ? "unknown" : formatTokenLimit(maxOutputTokens)),
  },
  verbosity: { title: "verbosity", value: toVerbosity },
  images: { title: "images", value: (model) => toAnswer(model, model.family.supportsImages) },
  price: { title: "$ per million in/cached/written/out", value: toPrice },
  ends: { title: "ends", value: ({ shutdownDate }) => shutdownDate ?? "" },
  origin: {
    title: "known from",
    value: ({ origins }) => (origins.length === 0 ? "nobody" : origins.map(toWord).join(", ")),
  },
} satisfies Readonly<Record<string, Column>>;
const shortPrice: Column = { title: "$/M in/out", value: toShortPrice };

/** One row per model with a heading; the one in use is marked. `columns`: the terminal's, which gets fewer facts if it is narrow; null: no terminal. */
export function renderModels({ config, inUse, models }: KnownModels, columns: number | null): string {
  const window: Column = {
    title: "window",
    value: ({ family }) => `${formatTokenLimit(family.contextWindow)}${family.windowOrigin === "guess" ? "?" : ""}`,
  };
  const name: Column = { title: "  model", value: (model) => `${model.name === inUse ? "*" : " "} ${model.name}` };
  const efforts: Column = { title: "efforts", value: renderEfforts };
  const { answer, verbosity, images, price, ends, origin } = long;
  const layouts = [
    [name, window, answer, efforts, verbosity, images, price, ends, origin],
    [name, window, answer, efforts, price, ends],
    [name, window, answer, efforts, shortPrice, ends],
    [name, window, efforts, shortPrice],
  ];
  const { lines, isFull } = renderTable(models, { layouts, width: columns });
  const hint = isFull ? "" : "\nA wider terminal shows more columns, --json shows all.";
  return `${lines.join("\n")}\n\n${describeUse(config, inUse)}${hint}`;
}

function describeUse({ model, provider }: KnownModels["config"], inUse: string | null): string {
  if (inUse !== null) return `* in use: ${model} of ${provider.name}`;
  return provider.unnamedModel === "none"
    ? `No model is set, and ${provider.name} needs one: use -m, or set model in config.toml.`
    : `No model is set: if ${provider.name} has only one, unroll uses it.`;
}

/** One object with all of it. */
export function toModelsJson({ config, inUse, models }: KnownModels): object {
  return {
    model: inUse === null ? null : config.model,
    provider: config.provider.id,
    models: models.map((model) => {
      const { family, price } = model;
      return {
        model: model.name,
        origins: model.origins,
        in_use: model.name === inUse,
        hidden: model.isHidden,
        provider: model.provider,
        family: family.id,
        context_window: family.contextWindow,
        context_window_origin: family.windowOrigin,
        max_output_tokens: model.maxOutputTokens,
        auto_compact_token_limit: model.compactionLimit,
        efforts: family.efforts,
        default_effort: model.defaultEffort,
        sent_effort: model.sentEffort,
        sent_verbosity: model.sentVerbosity,
        sent_reasoning_context: model.sentReasoningContext,
        supports_reasoning: family.supportsReasoning,
        supports_reasoning_summaries: family.supportsReasoningSummaries,
        supports_verbosity: family.supportsVerbosity,
        supports_images: family.supportsImages,
        supports_parallel_tool_calls: family.supportsParallelToolCalls,
        apply_patch_tool: family.applyPatchTool,
        shell_tool: family.shellTool,
        instructions_file: model.instructionsFile,
        price: price && toPriceJson(price),
        shutdown_date: model.shutdownDate,
      };
    }),
  };
}

const words: Readonly<Record<Model["origins"][number], string>> = {
  built_in: "built in",
  provider: "provider",
  file: "file",
  config: "config",
};

function toWord(origin: Model["origins"][number]): string {
  return words[origin];
}

function toVerbosity(model: Model): string {
  const { family, sentVerbosity } = model;
  return family.supportsVerbosity && sentVerbosity !== null ? sentVerbosity : toAnswer(model, family.supportsVerbosity);
}

function toAnswer({ origins }: Model, isTaken: boolean): string {
  if (origins.length === 0) return "unknown";
  return isTaken ? "yes" : "no";
}

function toPrice({ price }: Model): string {
  if (price === null) return "unknown";
  const { long } = price;
  return toRates(price) + (long === undefined ? "" : `; over ${formatTokenLimit(long.above)} ${toRates(long)}`);
}

function toShortPrice({ price }: Model): string {
  return price === null ? "unknown" : `${price.input} / ${price.output}`;
}

function toRates({ input, cachedInput, cacheWrite = input, output }: TokenRates): string {
  return `${input} / ${cachedInput} / ${cacheWrite} / ${output}`;
}

function toPriceJson({ long, ...rates }: ModelPrice): object {
  return { ...toRatesJson(rates), long: long === undefined ? null : { above: long.above, ...toRatesJson(long) } };
}

function toRatesJson({ input, cachedInput, cacheWrite = input, output }: TokenRates): object {
  return { input, cached_input: cachedInput, cache_write: cacheWrite, output };
}
