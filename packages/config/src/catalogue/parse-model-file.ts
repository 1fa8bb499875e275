import { dirname, resolve } from "node:path";
import { describeSystemError, formatPlace } from "@unroll/text";
import type { ModelFamily } from "@unroll/protocol";
import { once } from "@unroll/flow";
import { findFaults } from "../check/find-faults.ts";
import { ConfigError, type Origin } from "../config-error.ts";
import { findSchema } from "../keys/config-schema.ts";
import type { ModelTable } from "../keys/config-table.ts";
import { kinds, type ValueSchema } from "../keys/kinds.ts";
import { modelTableKeys } from "../keys/model-table-keys.ts";
import { readRegularFile } from "../layer/read-config-file.ts";
import { isTable } from "../toml/table.ts";

/**
 * A model in a file or in a provider's list: our names, and the Codex CLI's and servers' names for
 * the same facts.
 */
export interface ModelEntry extends ModelTable {
  readonly slug?: string;
  readonly id?: string;
  /** Of LM Studio, and of Ollama. */
  readonly key?: string;
  readonly name?: string;
  readonly context_length?: number;
  readonly max_context_length?: number;
  readonly max_model_len?: number;
  /** Of llama-server: the window in force. */
  readonly meta?: { readonly n_ctx?: number };
  /** Of LM Studio: each model that is loaded, with its window in force. */
  readonly loaded_instances?: readonly {
    readonly id?: string;
    readonly config?: { readonly context_length?: number };
  }[];
  /** Of OpenRouter: the upstream that answers first. */
  readonly top_provider?: { readonly context_length?: number };
  /** Of GitHub Copilot. */
  readonly capabilities?: { readonly limits?: { readonly max_prompt_tokens?: number } };
  readonly max_completion_tokens?: number;
  readonly supported_reasoning_levels?: readonly (string | { readonly effort: string })[];
  readonly default_reasoning_level?: string;
  readonly default_verbosity?: ModelTable["sent_verbosity"];
  readonly support_verbosity?: boolean;
  readonly input_modalities?: readonly string[];
  readonly apply_patch_tool_type?: string;
  readonly shell_type?: string;
  readonly truncation_policy?: { readonly mode: string; readonly limit: number };
  readonly visibility?: string;
}

/** The models of a file; or what is wrong with it, as the end of a sentence. */
function parseModelFile(value: unknown): readonly ModelEntry[] | string {
  const plain = isTable(value) && Array.isArray(value["models"]) ? { models: value["models"].map(withoutOdd) } : value;
  const fault = findFault(plain, modelFileSchema());
  return fault ?? (plain as { readonly models: readonly ModelEntry[] }).models;
}

/** An entry of a provider's list; if it is not understood, only its names. Null: it has no name. */
export function parseListedModel(entry: unknown): ModelEntry | null {
  const whole = withoutOdd(entry);
  if (findFault(whole, modelEntrySchema()) === null) return whole as ModelEntry;
  const names = isTable(whole) ? { slug: whole["slug"], id: whole["id"], key: whole["key"] } : whole;
  const said = withoutNull(names);
  return findFault(said, modelEntrySchema()) === null ? (said as ModelEntry) : null;
}

function withoutOdd(entry: unknown): unknown {
  const said = withoutNull(entry);
  if (!isTable(said)) return said;
  const isOdd = (name: string, value: unknown): boolean => {
    const schema = Object.hasOwn(looseNames, name) ? looseNames[name] : undefined;
    return schema !== undefined && findFault(value, schema) !== null;
  };
  return Object.fromEntries(Object.entries(said).filter(([name, value]) => !isOdd(name, value)));
}

/** JSON often writes null for an absent member. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isTable(value)) return value;
  const said = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(said.map(([name, each]) => [name, withoutNull(each)]));
}

/** The first error, as the end of a sentence. */
function findFault(value: unknown, schema: ValueSchema): string | null {
  const { faults, unknown } = findFaults(value, schema);
  const [first] = faults;
  if (first === undefined) return unknown[0] === undefined ? null : `is wrong in ${unknown[0].join(".")}: unknown key`;
  const place = formatPlace([...first.path, ...first.inside]);
  return `is wrong in ${place || "its beginning"}: it ${first.words}`;
}

type Tables = Readonly<Record<string, ModelTable>>;

/**
 * The models of a JSON file, by name; when a name occurs twice, the last one wins. Throws
 * `ConfigError` (`model_catalogue_invalid`).
 */
export async function readModelFile(path: string, origin: Origin | undefined): Promise<Tables> {
  const fail = (fault: string): never => {
    throw new ConfigError({
      code: "model_catalogue_invalid",
      message: `the file of models ${path} ${fault}. Correct it, or unset model_catalog_json.`,
      key: "model_catalog_json",
      origin,
    });
  };
  const bytes = await readRegularFile(path).catch((error: unknown) =>
    fail(`cannot be read: ${describeSystemError(error)}`),
  );
  const value = parseJson(new TextDecoder().decode(bytes)) ?? fail("is not JSON");
  const models = parseModelFile(value);
  if (typeof models === "string") return fail(models);
  const tables = models.map((entry, at) => toModelTable(entry) ?? fail(`has no slug in models[${at}]`));
  return Object.fromEntries(tables.map(([name, table]) => [name, withPath(table, dirname(path))]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

function withPath(table: ModelTable, folder: string): ModelTable {
  const { instructions_file: file } = table;
  return file === undefined ? table : { ...table, instructions_file: resolve(folder, file) };
}

/** The entry in our terms; our own names win over others. Null: it does not name a model. */
export function toModelTable(entry: ModelEntry): readonly [string, ModelTable] | null {
  const name = entry.slug ?? entry.id ?? entry.key;
  if (name === undefined) return null;
  const { apply_patch_tool_type: patch, truncation_policy: cut, visibility } = entry;
  const foreign: { readonly [Key in keyof ModelTable]: ModelTable[Key] | undefined } = {
    max_output_tokens: entry.max_completion_tokens,
    tool_output_token_limit: cut?.mode === "tokens" ? cut.limit : undefined,
    efforts: entry.supported_reasoning_levels?.map((level) => (typeof level === "string" ? level : level.effort)),
    default_effort: entry.default_reasoning_level,
    sent_verbosity: entry.default_verbosity,
    supports_verbosity: entry.support_verbosity,
    supports_images: entry.input_modalities?.includes("image"),
    apply_patch_tool: patch === "freeform" ? "custom" : patch ? "function" : undefined,
    shell_tool: shellTools[entry.shell_type ?? ""],
    hidden: visibility ? visibility !== "list" : undefined,
  };
  const own = Object.entries(entry).filter(([key]) => ownNames.has(key));
  const window = findWindow(entry) ?? entry.max_context_length;
  const said = { ...foreign, ...Object.fromEntries(own), context_window: window };
  return [name, Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))];
}

const ownNames: ReadonlySet<string> = new Set(Object.keys(modelTableKeys.keys).map((key) => key.replace(/\..*/, "")));

const shellTools: Readonly<Record<string, ModelFamily["shellTool"]>> = {
  shell_command: "shell_command",
  local: "shell",
  default: "shell",
  unified_exec: "exec_command",
};

const text = kinds.text.schema;
const anyText = kinds["any-text"].schema;
const tokens = kinds.tokens.schema;

/** Names that the Codex CLI and servers use for facts that we name differently, or do not have. */
const foreignNames: Readonly<Record<string, ValueSchema>> = {
  slug: { ...text, description: "the model's name; id works too" },
  id: text,
  key: text,
  context_length: tokens,
  max_context_length: tokens,
  max_model_len: tokens,
  max_completion_tokens: tokens,
  supported_reasoning_levels: {
    type: "array",
    items: { anyOf: [text, { type: "object", properties: { effort: text }, required: ["effort"] }] },
  },
  default_reasoning_level: text,
  default_verbosity: kinds.verbosity.schema,
  support_verbosity: kinds.boolean.schema,
  input_modalities: { type: "array", items: anyText },
  apply_patch_tool_type: anyText,
  shell_type: anyText,
  truncation_policy: {
    type: "object",
    properties: { mode: anyText, limit: tokens },
    required: ["mode", "limit"],
  },
  visibility: anyText,
};

/** Further members of servers' lists. A member in an unknown form is ignored. */
const looseNames: Readonly<Record<string, ValueSchema>> = {
  name: anyText,
  meta: { type: "object", properties: { n_ctx: tokens } },
  loaded_instances: {
    type: "array",
    items: {
      type: "object",
      properties: { id: text, config: { type: "object", properties: { context_length: tokens } } },
    },
  },
  top_provider: { type: "object", properties: { context_length: tokens } },
  capabilities: {
    type: "object",
    properties: { limits: { type: "object", properties: { max_prompt_tokens: tokens } } },
  },
};

/** A model in a file or in a provider's list: the keys of `[models.NAME]`, and other names for them. */
const modelEntrySchema: () => ValueSchema = once(() => {
  const own = findSchema(["models", "*"])?.properties;
  return { type: "object", properties: { ...own, ...foreignNames, ...looseNames } };
});

/** The file that `model_catalog_json` names. Unknown members are ignored. */
export const modelFileSchema: () => ValueSchema = once(() => ({
  type: "object",
  properties: { models: { type: "array", items: modelEntrySchema() } },
  required: ["models"],
}));

/**
 * The window that an entry of a list gives. The one in force goes before the announced one; of two
 * bounds, the smaller counts. Null: it gives none.
 */
export function findWindow(entry: ModelEntry, model: string | null = null): number | null {
  const instances = entry.loaded_instances ?? [];
  const loaded = instances.find(({ id }) => id === model) ?? instances[0];
  const inForce =
    entry.meta?.n_ctx ?? loaded?.config?.context_length ?? entry.capabilities?.limits?.max_prompt_tokens ?? null;
  if (inForce !== null) return inForce;
  const said = entry.context_window ?? entry.context_length ?? entry.max_model_len ?? null;
  const served = entry.top_provider?.context_length ?? null;
  return said === null || served === null ? (said ?? served) : Math.min(said, served);
}
