import type { ModelFamily, ModelPrice, TokenRates, WindowOrigin } from "@unroll/protocol";
import type { ModelFamilyId, ModelTable, PriceTable } from "../keys/config-table.ts";
import { mergeTables } from "../toml/table.ts";
import { familiesByPrefix, modelFamilies } from "./model-families.ts";
import type { ModelCatalogue, ModelInfo, ModelLayer } from "./model-info.ts";

/** The known facts about a model, found by its name. */
export interface FoundModel {
  /** Whether the catalogue has the model. If not, only its `family` is known: that of `like`. */
  readonly isKnown: boolean;
  /**
   * The longest known name that the model's name begins with. Null: the model itself is known, or
   * there is no such name.
   */
  readonly like: string | null;
  readonly info: ModelInfo;
}

/**
 * Finds a model of a provider: by the name as written, without a hub's prefix, or without its date
 * (`gpt-5-2025-08-07`).
 */
export function findModel(catalogue: ModelCatalogue, name: string, provider: string): FoundModel {
  const layers = layersOf(catalogue, provider);
  const found = readModel(layers, name);
  if (found.origins.length > 0) return { isKnown: true, like: null, info: found };
  const names = [...Object.keys(familiesByPrefix), ...layers.flatMap(({ tables }) => Object.keys(tables))];
  const like = findPrefix(names, listSpellings(name).at(-1) ?? name);
  const { family } = readModel(layers, like ?? name);
  const unknown = describeModel({
    name,
    origins: [],
    table: {},
    family: { ...family, efforts: null },
    windowOrigin: "guess",
  });
  return { isKnown: false, like, info: unknown };
}

/**
 * All models that a provider may have; those of the built-in catalogue come last. `provider` null:
 * the models of all providers.
 */
export function listModels(catalogue: ModelCatalogue, provider: string | null): readonly ModelInfo[] {
  const layers = layersOf(catalogue, provider);
  const names = new Set(layers.toReversed().flatMap(({ tables }) => Object.keys(tables)));
  return Array.from(names, (name) => ({ ...readModel(layers, name), name }));
}

function layersOf(catalogue: ModelCatalogue, provider: string | null): ModelCatalogue {
  return catalogue.filter(({ providerId }) => provider === null || providerId === null || providerId === provider);
}

/**
 * Hubs put the vendor in front (`openai/gpt-oss-20b`), Ollama puts the size behind a colon, servers
 * put a date at the end.
 */
function listSpellings(name: string): readonly string[] {
  const bare = name.slice(name.lastIndexOf("/") + 1);
  const plain = bare.replace(/:latest$/, "").replace(":", "-");
  return [name, bare, plain, plain.replace(/-\d{4}-\d\d-\d\d$/, "")];
}

/** `gpt-5` is not a prefix of `gpt-50` in this sense. */
function findPrefix(names: readonly string[], name: string): string | null {
  const fitting = names.filter((prefix) => name.startsWith(prefix) && !/^\d\d/.test(name.slice(prefix.length - 1)));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** Layers may spell the same model differently. */
function readModel(layers: ModelCatalogue, name: string): ModelInfo {
  const spellings = listSpellings(name);
  const saying = layers.flatMap(({ origin, tables }) => {
    const spelling = spellings.find((each) => Object.hasOwn(tables, each));
    return spelling === undefined ? [] : [{ origin, spelling, table: toSent(origin, tables[spelling] ?? {}) }];
  });
  const table = saying.map((each) => each.table).reduce<ModelTable>(mergeTables, {});
  const family = modelFamilies[table.family ?? findFamily(layers, name)];
  const windowLayer = saying.findLast((each) => each.table.context_window !== undefined);
  return describeModel({
    name: saying.at(-1)?.spelling ?? name,
    origins: saying.map(({ origin }) => origin),
    table,
    family,
    windowOrigin: windowOrigins[windowLayer?.origin ?? "none"],
  });
}

/**
 * A default effort that the user sets is sent. One in the built-in catalogue or in a server's list
 * describes what the server does by itself.
 */
function toSent(origin: ModelLayer["origin"], table: ModelTable): ModelTable {
  const { default_effort: effort } = table;
  const isOfUser = origin === "file" || origin === "config";
  return isOfUser && effort !== undefined ? { sent_effort: effort, ...table } : table;
}

const windowOrigins = {
  none: "guess",
  built_in: "catalogue",
  file: "catalogue",
  provider: "list",
  config: "config",
} as const;

/** For a model whose family no layer gives. */
function findFamily(layers: ModelCatalogue, name: string): ModelFamilyId {
  const tables = layers.flatMap((layer) => Object.entries(layer.tables));
  const said = tables.flatMap(([each, { family }]) => (family === undefined ? [] : [[each, family] as const]));
  const families = new Map([...Object.entries(familiesByPrefix), ...said]);
  const like = findPrefix([...families.keys()], listSpellings(name).at(-1) ?? name);
  return families.get(like ?? "") ?? "default";
}

interface Description extends Pick<ModelInfo, "name" | "origins"> {
  readonly table: ModelTable;
  readonly family: ModelFamily;
  /** Which layer gives the size of its window. */
  readonly windowOrigin: WindowOrigin;
}

/** Lays a model's table over the facts of its family. */
function describeModel({ name, origins, table, family, windowOrigin }: Description): ModelInfo {
  return {
    name,
    origins,
    provider: table.provider ?? null,
    family: { ...toOwnFamily(family, table), windowOrigin },
    maxOutputTokens: table.max_output_tokens ?? null,
    defaultEffort: table.default_effort ?? null,
    sentEffort: table.sent_effort ?? null,
    sentVerbosity: table.sent_verbosity ?? null,
    sentReasoningContext: table.sent_reasoning_context ?? null,
    compactionLimit: table.auto_compact_token_limit ?? null,
    instructionsFile: table.instructions_file ?? null,
    price: table.price === undefined ? null : toPrice(table.price),
    shutdownDate: table.shutdown_date ?? null,
    isHidden: table.hidden ?? false,
  };
}

function toPrice({ long, ...price }: PriceTable): ModelPrice {
  if (long === undefined) return toRates(price);
  return { ...toRates(price), long: { above: long.above, ...toRates(long) } };
}

function toRates({ input, cached_input: cachedInput, cache_write: cacheWrite, output }: PriceTable): TokenRates {
  return { input, cachedInput, ...(cacheWrite === undefined ? {} : { cacheWrite }), output };
}

function toOwnFamily(family: ModelFamily, table: ModelTable): Omit<ModelFamily, "windowOrigin"> {
  const efforts = table.efforts ?? family.efforts;
  return {
    id: family.id,
    contextWindow: table.context_window ?? family.contextWindow,
    supportsReasoning: table.efforts === undefined ? family.supportsReasoning : table.efforts.length > 0,
    efforts,
    supportsReasoningSummaries: table.supports_reasoning_summaries ?? family.supportsReasoningSummaries,
    supportsVerbosity: table.supports_verbosity ?? family.supportsVerbosity,
    supportsImages: table.supports_images ?? family.supportsImages,
    supportsParallelToolCalls: table.supports_parallel_tool_calls ?? family.supportsParallelToolCalls,
    applyPatchTool: table.apply_patch_tool ?? family.applyPatchTool,
    shellTool: table.shell_tool ?? family.shellTool,
    toolOutputTokens: table.tool_output_token_limit ?? family.toolOutputTokens,
  };
}

/**
 * The price of a provider's model, in USD per million tokens; null: the catalogue has no certain
 * price. A dated name (`gpt-5-2025-08-07`) has its model's price. Other providers charge other
 * prices for the same model.
 */
export function findModelPrice(catalogue: ModelCatalogue, model: string, provider: string): ModelPrice | null {
  const { info } = findModel(catalogue, model, provider);
  return info.provider === null || info.provider === provider ? info.price : null;
}
