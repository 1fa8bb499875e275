import { once } from "@unroll/flow";
import { kinds } from "../keys/kinds.ts";
import { findSchema } from "../keys/config-schema.ts";
import type { ValueSchema } from "../keys/value-schema.ts";

const text = kinds.text.schema;
const anyText = kinds["any-text"].schema;
const tokens = kinds.tokens.schema;

/** The names that the Codex CLI and servers have for what we call otherwise, or do not have. */
const foreignNames: Readonly<Record<string, ValueSchema>> = {
  slug: { ...text, description: "its name; id will do, too" },
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

/** What servers tell besides, where a form that we do not know says nothing: it is left aside. */
export const looseNames: Readonly<Record<string, ValueSchema>> = {
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

/** A model of a file, or of a provider's list: the keys of `[models.NAME]`, and other names for them. */
export const modelEntrySchema: () => ValueSchema = once(() => {
  const own = findSchema(["models", "*"])?.properties;
  return { type: "object", properties: { ...own, ...foreignNames, ...looseNames } };
});

/** What `model_catalog_json` names. Members that are not told here are left aside. */
export const modelFileSchema: () => ValueSchema = once(() => ({
  type: "object",
  properties: { models: { type: "array", items: modelEntrySchema() } },
  required: ["models"],
}));
