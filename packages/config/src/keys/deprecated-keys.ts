import { isRestrainingValue, isRestraint } from "@unroll/protocol";
import { takesFreeNames, toProfilePath, toSettingsPath } from "./config-schema.ts";

interface DeprecatedKey {
  /** The key to write today. */
  readonly now: readonly string[];
  /** Converts a value of the old key into one of the new key; undefined if it only repeats the default. */
  readonly convert: (value: unknown) => unknown;
  /** The Codex CLI still has it, so a file for both keeps it, without a warning. */
  readonly isShared?: true;
}

/** Where an old key stands today, and what its value means there. */
interface ReplacedKey {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether the Codex CLI still has the old key. */
  readonly isShared: boolean;
}

const keep = (value: unknown): unknown => value;
/** Any other value stays as it is, and is reported as a wrong value of the new key. */
const toSearchMode = (value: unknown): unknown =>
  typeof value === "boolean" ? (value ? "live" : "disabled") : typeof value === "object" ? "live" : value;
const toShellTool = (value: unknown): unknown => (value === true ? "exec_command" : undefined);

/** Old keys of the reference that still mean something here. */
const deprecatedKeys: Readonly<Record<string, DeprecatedKey>> = {
  experimental_instructions_file: { now: ["model_instructions_file"], convert: keep },
  experimental_use_unified_exec_tool: { now: ["shell_tool"], convert: toShellTool },
  "tools.web_search": { now: ["web_search"], convert: toSearchMode },
  "tools.web_search_request": { now: ["web_search"], convert: toSearchMode },
  "features.web_search": { now: ["web_search"], convert: toSearchMode },
  "features.web_search_request": { now: ["web_search"], convert: toSearchMode },
  "features.unified_exec": { now: ["shell_tool"], convert: toShellTool, isShared: true },
};

/** All old keys, dotted. */
export const deprecatedNames: readonly string[] = Object.keys(deprecatedKeys);

/** Null for a key that is not an old one. */
export function replaceDeprecatedKey(path: readonly string[], value: unknown): ReplacedKey | null {
  const found = deprecatedKeys[toSettingsPath(path).join(".")];
  if (found === undefined) return null;
  const { now, convert, isShared = false } = found;
  return { path: [...toProfilePath(path), ...now], value: convert(value), isShared };
}

/**
 * Keys of the Codex CLI that unroll does not use, by table; `*` stands for a free name. They are not wrong, so that one `config.toml`
 * serves both: one warning per file lists those that are set. Where a name looks like a restraint, what it bounds does not exist here
 * (`apps`, `plugins`), or it bounds nothing that the model does (`history.max_bytes`). `findUnkeptRestraint` knows the others.
 */
export const unusedKeys: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    "": `
      allow_symlinked_codex_home analytics approvals_reviewer apps apps_mcp_product_sku audio auto_review
      background_terminal_max_timeout check_for_update_on_startup debug desktop disable_paste_burst
      disable_response_storage experimental_thread_store features feedback file_opener forced_chatgpt_workspace_id ghost_snapshot
      include_apps_instructions include_environment_context include_permissions_instructions log_dir marketplaces
      mcp_oauth_callback_port mcp_oauth_callback_url memories model_supports_reasoning_summaries notice otel
      personality plan_mode_reasoning_effort plugins project_root_markers realtime review_model
      show_raw_agent_reasoning sqlite_home suppress_unstable_features_warning tool_suggest tools windows
      windows_wsl_setup_acknowledged`,
    "model_providers.*": "supports_websockets websocket_connect_timeout_ms",
    "mcp_servers.*": "environment_id name oauth_resource supports_parallel_tool_calls",
    agents: "default_subagent_model default_subagent_reasoning_effort interrupt_message job_max_runtime_seconds",
    history: "max_bytes",
    tui: `
      alternate_screen model_availability_nux notification_condition raw_output_mode session_picker_view
      show_tooltips status_line_use_colors`,
    skills: "bundled max_context_tokens",
    shell_environment_policy: "experimental_use_profile",
  }).map(([table, names]) => [table, names.trim().split(/\s+/)]),
);

/** Unused keys that can restrain the model of the Codex CLI, with the values that ask for no more than unroll does by itself. */
export const keptValues: Readonly<Record<string, readonly unknown[]>> = {
  // you are the reviewer, whichever of these is set
  approvals_reviewer: ["user", "auto_review", "guardian_subagent"],
  "tools.view_image": [true],
  "features.view_image": [true],
  "features.shell_tool": [true],
};

/**
 * The path to the first part of an unknown key that was meant to restrain the model; null: there is none, so that the key may be
 * ignored. A feature that is off restrains nothing, unless it is a tool that unroll has.
 */
export function findUnkeptRestraint(path: readonly string[], value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return null;
  const [top, ...below] = toSettingsPath(path);
  const name = [top, ...below].join(".");
  const kept = keptValues[name];
  if (kept !== undefined) return kept.includes(value) ? null : path;
  if (top === "features" && below.length === 1) return value !== false && isRestraint(below[0] ?? "") ? path : null;
  const isSplit = name === "features" || Object.keys(keptValues).some((key) => key.startsWith(`${name}.`));
  if (!isSplit) {
    if (listUnusedKeys(path.slice(0, -1)).includes(path.at(-1) ?? "")) return null;
    const own = path.filter((_, at) => !takesFreeNames(path.slice(0, at)));
    if (own.some(isRestraint) || isRestrainingValue(path.at(-1) ?? "", value)) return path;
  }
  if (typeof value !== "object") return isSplit ? path : null;
  return Object.entries(value).reduce<readonly string[] | null>(
    (found, [member, each]) => found ?? findUnkeptRestraint([...path, member], each),
    null,
  );
}

/** The unused keys of the table at `path`. */
export function listUnusedKeys(path: readonly string[]): readonly string[] {
  const [table = "", id] = path[0] === "profiles" ? path.slice(2) : path;
  return unusedKeys[id === undefined ? table : `${table}.*`] ?? [];
}
