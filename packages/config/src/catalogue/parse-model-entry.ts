import { type Fault, findFaults } from "../check/find-faults.ts";
import type { ModelTable } from "../keys/config-table.ts";
import type { ValueSchema } from "../keys/value-schema.ts";
import { isTable } from "../toml/table.ts";
import { looseNames, modelEntrySchema, modelFileSchema } from "./model-file-schema.ts";

/** A model of a file, or of a provider's list: our names, and those that the Codex CLI and servers have for the same. */
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

/** The models of a file, or the end of a sentence that says what is wrong with it. */
export function parseModelFile(value: unknown): readonly ModelEntry[] | string {
  const plain = isTable(value) && Array.isArray(value["models"]) ? { models: value["models"].map(withoutOdd) } : value;
  const fault = findFault(plain, modelFileSchema());
  return fault ?? (plain as { readonly models: readonly ModelEntry[] }).models;
}

/** An entry of a provider's list; where it is not understood, its names; null: it has none. */
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

/** JSON says of a member that it is absent by null, too. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isTable(value)) return value;
  const said = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(said.map(([name, each]) => [name, withoutNull(each)]));
}

/** The first, as the end of a sentence. */
function findFault(value: unknown, schema: ValueSchema): string | null {
  const { faults, unknown } = findFaults(value, schema);
  const [first] = faults;
  if (first !== undefined) return describe(first);
  return unknown[0] === undefined ? null : `is wrong in ${unknown[0].join(".")}: there is no such key`;
}

function describe({ path, inside, words }: Fault): string {
  const place = [...path, ...inside].map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return `is wrong in ${place.replace(/^\./, "") || "its beginning"}: it ${words}`;
}
