import { longestTimerMs, once } from "@unroll/flow";
import { approvalPolicies, sandboxModes, threadHeaderStyles } from "@unroll/protocol";
import * as z from "zod";
import { modelFamilyIds } from "../models/model-families.ts";
import type { Table } from "../toml/table.ts";
import type { ConfigTable } from "./config-table.ts";
import { makeTable } from "./late-schema.ts";
import { presetIds } from "./preset-ids.ts";

// Every key may be left out. The schemas are shared, and made when they are used: making one costs more than using it.
const text = once(() => z.string().min(1).exactOptional());
const anyText = once(() => z.string().exactOptional());
const flag = once(() => z.boolean().exactOptional());
const count = once(() => z.int().min(0).exactOptional());
const positive = once(() => z.int().min(1).exactOptional());
const milliseconds = once(() => z.int().min(1).max(longestTimerMs).exactOptional());
const seconds = once(() =>
  z
    .number()
    .positive()
    .max(longestTimerMs / 1000)
    .exactOptional(),
);
const texts = once(() => z.array(z.string().min(1)).exactOptional());
const anyTexts = once(() => z.array(z.string()).exactOptional());
const textTable = once(() => z.record(z.string(), z.string()).exactOptional());
const verbosity = once(() => z.enum(["low", "medium", "high"]).exactOptional());
const reasoningContext = once(() => z.enum(["auto", "all_turns", "current_turn"]).exactOptional());

/** A name, so that a key that was pasted in its place is told, and never printed as "the variable … is not set". */
const requiredVariable = once(() =>
  z.string().refine((name) => /^[A-Za-z_]\w*$/.test(name), {
    error: "the name of an environment variable (letters, digits and _), not its value",
  }),
);
const variable = once(() => requiredVariable().exactOptional());
const variables = once(() => z.array(requiredVariable()).exactOptional());

/** RFC 9110, field names and values. */
const headerName = once(() => z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/));
const headerValue = once(() =>
  z.string().refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value), {
    error: "text that an HTTP header can hold: no line end, no character beyond Latin-1",
  }),
);
const headers = once(() => z.record(headerName(), headerValue()).exactOptional());
const variableHeaders = once(() => z.record(headerName(), requiredVariable()).exactOptional());

const provider = once(() =>
  z.strictObject({
    name: text(),
    preset: z.enum(presetIds).exactOptional(),
    base_url: text(),
    env_key: variable(),
    env_key_instructions: anyText(),
    key_header: headerName().exactOptional(),
    experimental_bearer_token: headerValue().exactOptional(),
    auth_command: z.array(z.string()).min(1).exactOptional(),
    auth_command_timeout_ms: milliseconds(),
    auth: z
      .strictObject({
        command: z.string().min(1),
        args: anyTexts(),
        timeout_ms: milliseconds(),
        refresh_interval_ms: z.int().min(0).max(longestTimerMs).exactOptional(),
        cwd: text(),
      })
      .exactOptional(),
    wire_api: z
      .string()
      .refine((name) => name === "responses", { error: '"responses": this harness speaks the Responses API only' })
      .exactOptional(),
    query_params: textTable(),
    http_headers: headers(),
    env_http_headers: variableHeaders(),
    request_max_retries: count(),
    stream_max_retries: count(),
    stream_idle_timeout_ms: milliseconds(),
    startup_timeout_ms: z.int().min(0).max(longestTimerMs).exactOptional(),
    requires_openai_auth: flag(),
    supports_any_items: flag(),
    supports_compaction: flag(),
    supports_custom_tools: flag(),
    supports_developer_messages: flag(),
    supports_encrypted_reasoning: flag(),
    supports_images: flag(),
    supports_prompt_cache_key: flag(),
    supports_reasoning_items: flag(),
    supports_reasoning_summaries: flag(),
    supports_repeated_roles: flag(),
    supports_store: flag(),
    supports_web_search: flag(),
    thread_headers: z.enum(threadHeaderStyles).exactOptional(),
  }),
);

const workspaceWrite = once(() =>
  z.strictObject({
    writable_roots: texts(),
    network_access: flag(),
    exclude_tmpdir_env_var: flag(),
    exclude_slash_tmp: flag(),
    git: z.enum(["writable", "protected"]).exactOptional(),
  }),
);

const sandbox = once(() =>
  z.strictObject({
    allow_weaker: flag(),
    deny_read: texts(),
    max_processes: count(),
    max_memory_mb: count(),
    max_total_memory_mb: count(),
  }),
);

const shellEnvironment = once(() =>
  z.strictObject({
    inherit: z.enum(["all", "core", "none"]).exactOptional(),
    ignore_default_excludes: flag(),
    exclude: texts(),
    set: textTable(),
    include_only: texts(),
  }),
);

const approvalMode = once(() => z.enum(["auto", "prompt", "writes", "approve"]).exactOptional());

const mcpServer = once(() =>
  z.strictObject({
    command: text(),
    args: anyTexts(),
    env: textTable(),
    env_vars: variables(),
    cwd: text(),
    url: text(),
    bearer_token_env_var: variable(),
    oauth: z
      .strictObject({
        client_id: text(),
        client_secret_env_var: variable(),
        client_metadata_url: text(),
        scopes: texts(),
      })
      .exactOptional(),
    scopes: texts(),
    http_headers: headers(),
    env_http_headers: variableHeaders(),
    enabled: flag(),
    required: flag(),
    startup_timeout_sec: seconds(),
    tool_timeout_sec: seconds(),
    enabled_tools: texts(),
    disabled_tools: texts(),
    default_tools_approval_mode: approvalMode(),
    tools: z.record(z.string(), z.strictObject({ approval_mode: approvalMode() })).exactOptional(),
  }),
);

/** Which questions are asked; what is not said is not asked, and refused. */
const granularPolicy = once(() =>
  z.strictObject({
    granular: z.strictObject({
      sandbox_approval: flag(),
      rules: flag(),
      mcp_elicitations: flag(),
      request_permissions: flag(),
      skill_approval: flag(),
    }),
  }),
);

const amount = once(() => z.number().min(0).max(1_000_000_000).exactOptional());
const spending = once(() => ({ max_turns: count(), max_tokens: count(), max_cost: amount() }));
const budget = once(() =>
  z.strictObject({
    ...spending(),
    max_time_sec: z
      .number()
      .min(0)
      .max(longestTimerMs / 1000)
      .exactOptional(),
    thread: z.strictObject(spending()).exactOptional(),
  }),
);

const skills = once(() =>
  z.strictObject({
    include_instructions: flag(),
    config: z.array(z.looseObject({ path: text(), name: text(), enabled: z.boolean() })).exactOptional(),
  }),
);

const rate = once(() => z.number().min(0));
const rates = once(() => ({
  input: rate(),
  cached_input: rate(),
  cache_write: rate().exactOptional(),
  output: rate(),
}));
const price = once(() =>
  z.strictObject({ ...rates(), long: z.strictObject({ above: z.int().min(1), ...rates() }).exactOptional() }),
);

const model = once(() =>
  z.strictObject({
    family: z.enum(modelFamilyIds).exactOptional(),
    provider: text(),
    context_window: positive(),
    max_output_tokens: positive(),
    auto_compact_token_limit: count(),
    efforts: texts(),
    default_effort: text(),
    sent_effort: text(),
    sent_verbosity: verbosity(),
    sent_reasoning_context: reasoningContext(),
    supports_reasoning_summaries: flag(),
    supports_verbosity: flag(),
    supports_images: flag(),
    supports_parallel_tool_calls: flag(),
    apply_patch_tool: z.enum(["custom", "function"]).exactOptional(),
    shell_tool: z.enum(["shell_command", "shell", "exec_command"]).exactOptional(),
    tool_output_token_limit: positive(),
    instructions_file: text(),
    price: price().exactOptional(),
    shutdown_date: z.iso.date("a day as YYYY-MM-DD").exactOptional(),
    hidden: flag(),
  }),
);

/** Each key is made when it is asked for: a file has a few of them, and making all takes longer than reading it. */
const settings = {
  model: text,
  model_catalog_json: text,
  models: () => z.record(z.string(), model()).exactOptional(),
  model_provider: text,
  oss_provider: () => z.enum(["ollama", "lmstudio", "llamacpp", "vllm", "sglang"]).exactOptional(),
  local_ports: () => z.array(z.int().min(1).max(65_535)).exactOptional(),
  model_providers: () => z.record(z.string(), provider()).exactOptional(),
  openai_base_url: text,
  chatgpt_base_url: text,
  cli_auth_credentials_store: () => z.enum(["file", "keyring", "auto"]).exactOptional(),
  mcp_oauth_credentials_store: () => z.enum(["file", "keyring", "auto"]).exactOptional(),
  forced_login_method: () => z.enum(["chatgpt", "api"]).exactOptional(),
  login: () => z.strictObject({ issuer: text(), client_id: text(), scopes: texts(), hosts: texts() }).exactOptional(),
  model_context_window: positive,
  model_auto_compact_token_limit: count,
  model_auto_compact_token_limit_scope: () => z.enum(["total", "body_after_prefix"]).exactOptional(),
  compact_prompt: text,
  experimental_compact_prompt_file: text,
  model_reasoning_effort: text,
  model_reasoning_summary: () => z.enum(["auto", "concise", "detailed", "none"]).exactOptional(),
  model_reasoning_context: reasoningContext,
  model_verbosity: verbosity,
  model_instructions_file: text,
  developer_instructions: anyText,
  service_tier: text,
  approval_policy: () => z.union([z.enum(approvalPolicies), granularPolicy()]).exactOptional(),
  sandbox_mode: () => z.enum(sandboxModes).exactOptional(),
  sandbox_workspace_write: () => workspaceWrite().exactOptional(),
  sandbox: () => sandbox().exactOptional(),
  shell_environment_policy: () => shellEnvironment().exactOptional(),
  command_timeout_ms: milliseconds,
  shell_tool: () => z.enum(["shell_command", "shell", "exec_command"]).exactOptional(),
  tool_output_token_limit: positive,
  mask_secrets: flag,
  web_search: () => z.enum(["disabled", "cached", "indexed", "live"]).exactOptional(),
  mcp_startup_grace_ms: () => z.int().min(0).max(longestTimerMs).exactOptional(),
  mcp_tool_schema_tokens: count,
  mcp_servers: () => z.record(z.string(), mcpServer()).exactOptional(),
  project_doc_max_bytes: count,
  project_doc_fallback_filenames: texts,
  history: () => z.strictObject({ persistence: z.enum(["save-all", "none"]).exactOptional() }).exactOptional(),
  budget: () => budget().exactOptional(),
  repeated_calls: () => z.strictObject({ nudge_after: count(), stop_after: count() }).exactOptional(),
  skills: () => skills().exactOptional(),
  allow_login_shell: flag,
  hide_agent_reasoning: flag,
  notify: texts,
  tui: () =>
    z
      .strictObject({
        animations: flag(),
        notifications: flag(),
        notification_method: z.enum(["auto", "osc9", "osc777", "bel"]).exactOptional(),
        status_line: texts(),
        theme: z.enum(["auto", "dark", "light", "plain"]).exactOptional(),
      })
      .exactOptional(),
};

const allSettings = once(() => makeTable(settings));

const keys = {
  ...settings,
  profile: text,
  profiles: () => z.record(z.string(), allSettings()).exactOptional(),
  projects: () =>
    z
      .record(z.string(), z.strictObject({ trust_level: z.enum(["trusted", "untrusted"]).exactOptional() }))
      .exactOptional(),
};

/**
 * Strict: a key that is not here is reported as unknown by `checkLayer`, which also knows the keys that are not used yet. For
 * `table` it is made of the keys that are in it, and says of it what the whole one would; without, it is whole.
 */
export function createConfigSchema(table?: Table): z.ZodType<ConfigTable> {
  return makeTable(keys, table);
}

/** The keys that the table at `path` can have; none for a table of free names, or for what is no table. */
export function listKeys(path: readonly string[]): readonly string[] {
  if (path.length === 0) return Object.keys(keys);
  const schema = findSchema(path);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Whether the table at `path` takes any name. */
export function takesFreeNames(path: readonly string[]): boolean {
  return findSchema(path) instanceof z.ZodRecord;
}

/** What the value at `path` must be; undefined where there is no such key. A key that may be left out is given without that. */
export function findSchema([first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return createConfigSchema();
  let schema = unwrap(Object.entries(keys).find(([key]) => key === first)?.[1]());
  for (const key of rest) schema = unwrap(childOf(schema, key));
  return schema;
}

function childOf(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
}
