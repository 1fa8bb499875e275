import { renderEfforts } from "@unroll/config";
import type { ModelPrice, TokenRates } from "@unroll/protocol";
import type { KnownModels } from "@unroll/use-cases/models";

type Model = KnownModels["models"][number];

/** One line a model, with a heading; the one in use is marked. */
export function renderModels({ config, inUse, models }: KnownModels): string {
  const heading = [
    "  model",
    "window",
    "answer",
    "efforts",
    "verbosity",
    "images",
    "$ per million in/cached/written/out",
    "ends",
    "known from",
  ];
  const rows = models.map((model) => [
    `${model.name === inUse ? "*" : " "} ${model.name}`,
    `${toAmount(model.family.contextWindow)}${model.family.windowOrigin === "guess" ? "?" : ""}`,
    toAmount(model.maxOutputTokens),
    renderEfforts(model),
    toVerbosity(model),
    toAnswer(model, model.family.supportsImages),
    toPrice(model),
    model.shutdownDate ?? "",
    model.origins.length === 0 ? "nobody" : model.origins.map(toWord).join(", "),
  ]);
  const table = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n\n${describeUse(config, inUse)}`;
}

function describeUse({ model, provider }: KnownModels["config"], inUse: string | null): string {
  if (inUse !== null) return `* ${model} of ${provider.name} is in use`;
  return provider.unnamedModel === "none"
    ? `No model is named, and ${provider.name} needs one: name it with -m, or set model in config.toml.`
    : `No model is named: if ${provider.name} has only one, that is used.`;
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

function toAmount(tokens: number | null): string {
  if (tokens === null) return "unknown";
  return tokens % 1000 === 0 ? `${tokens / 1000}k` : String(tokens);
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
  return toRates(price) + (long === undefined ? "" : `; over ${toAmount(long.above)} ${toRates(long)}`);
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
