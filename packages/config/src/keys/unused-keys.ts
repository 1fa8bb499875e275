/**
 * Keys of the Codex CLI that unroll does not use, by table; `*` stands for a free name. They are not wrong, so that one `config.toml`
 * serves both: one warning per file lists those that are set. Keys that hold the model back are in `restrainingKeys`.
 */
export const unusedKeys: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    "": `
      agents analytics approvals_reviewer apps apps_mcp_product_sku audio auto_review
      background_terminal_max_timeout check_for_update_on_startup debug desktop disable_paste_burst
      experimental_thread_store features feedback file_opener forced_chatgpt_workspace_id ghost_snapshot
      include_apps_instructions include_environment_context include_permissions_instructions log_dir marketplaces
      mcp_oauth_callback_port mcp_oauth_callback_url memories model_supports_reasoning_summaries notice otel
      personality plan_mode_reasoning_effort plugins project_root_markers realtime review_model
      show_raw_agent_reasoning sqlite_home suppress_unstable_features_warning tool_suggest tools windows
      windows_wsl_setup_acknowledged`,
    "model_providers.*": "supports_websockets websocket_connect_timeout_ms",
    "mcp_servers.*": "environment_id name oauth_resource supports_parallel_tool_calls",
    history: "max_bytes",
    tui: `
      alternate_screen keymap model_availability_nux notification_condition raw_output_mode session_picker_view
      show_tooltips status_line_use_colors terminal_title vim_mode_default`,
    skills: "bundled max_context_tokens",
    shell_environment_policy: "experimental_use_profile",
  }).map(([table, names]) => [table, names.trim().split(/\s+/)]),
);

/** Keys of the Codex CLI at the top that hold its model back. Each gets its own warning, since it holds nothing back here. */
export const restrainingKeys: readonly string[] = ["default_permissions", "hooks", "permissions", "requirements"];

/** The unused keys of the table at `path`. */
export function listUnusedKeys(path: readonly string[]): readonly string[] {
  const [table = "", id] = path[0] === "profiles" ? path.slice(2) : path;
  return unusedKeys[id === undefined ? table : `${table}.*`] ?? [];
}
