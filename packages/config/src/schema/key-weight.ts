import { isWithin } from "../toml/table-path.ts";
import { toSettingsPath } from "./settings-path.ts";

/**
 * A wrong value of one of these in a file is left out, with a warning, and its default stands: nothing that the model may
 * reach, nothing that is sent elsewhere and nothing that is kept depends on it. A wrong value of any other key is an error.
 */
const harmlessKeys: readonly string[] = [
  "local_ports",
  "model_context_window",
  "model_auto_compact_token_limit",
  "model_auto_compact_token_limit_scope",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_reasoning_context",
  "model_verbosity",
  "service_tier",
  "tool_output_token_limit",
  "mcp_startup_grace_ms",
  "mcp_tool_schema_tokens",
  "project_doc_max_bytes",
  "project_doc_fallback_filenames",
  "hide_agent_reasoning",
  "tui",
  "model_providers.*.request_max_retries",
  "model_providers.*.stream_max_retries",
  "model_providers.*.stream_idle_timeout_ms",
  "model_providers.*.startup_timeout_ms",
  "mcp_servers.*.startup_timeout_sec",
  "mcp_servers.*.tool_timeout_sec",
];

/**
 * These hold the model back, so a key that was probably meant to be one of them is an error where another unknown key is a
 * warning: without it the model would have more than the person allowed.
 */
const holdingKeys: readonly string[] = [
  "approval_policy",
  "sandbox_mode",
  "sandbox.allow_weaker",
  "sandbox.deny_read",
  "sandbox_workspace_write.exclude_slash_tmp",
  "sandbox_workspace_write.exclude_tmpdir_env_var",
  "sandbox_workspace_write.git",
  "shell_environment_policy.exclude",
  "shell_environment_policy.include_only",
  "shell_environment_policy.inherit",
  "mask_secrets",
  "budget",
  "repeated_calls",
  "skills.config",
  "history.persistence",
  "web_search",
  "mcp_servers.*.default_tools_approval_mode",
  "mcp_servers.*.disabled_tools",
  "mcp_servers.*.enabled_tools",
  "mcp_servers.*.tools.*.approval_mode",
  "projects.*.trust_level",
];

/** Whether a wrong value at `path` (an entry of an array, too) can be left out. */
export function isHarmless(path: readonly string[]): boolean {
  return matches(harmlessKeys, path);
}

/** Whether the key at `path` holds the model back. */
export function holdsBack(path: readonly string[]): boolean {
  return matches(holdingKeys, path);
}

function matches(patterns: readonly string[], path: readonly string[]): boolean {
  const settings = toSettingsPath(path);
  return patterns.some((pattern) => {
    const parts = pattern.split(".");
    return isWithin(
      settings,
      parts.map((part, index) => (part === "*" ? (settings[index] ?? part) : part)),
    );
  });
}
