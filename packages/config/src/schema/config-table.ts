import type {
  ApprovalPolicy,
  McpApprovalMode,
  GitAccess,
  ModelFamily,
  ReasoningContext,
  ReasoningEffort,
  ReasoningSummary,
  SandboxMode,
  ThreadHeaders,
  Verbosity,
  WebSearchMode,
} from "@unroll/protocol";
import type { ModelTable } from "../models/model-table.ts";
import type { PresetId } from "./preset-ids.ts";

/** `config.toml` as written: what each key means and its default are in docs/config.md. */
export interface ConfigTable extends SettingsTable {
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, SettingsTable>>;
  readonly projects?: Readonly<Record<string, ProjectTable>>;
}

/** Of the servers that run models on this machine. */
export type LocalProviderId = "ollama" | "lmstudio" | "llamacpp" | "vllm" | "sglang";

export type CompactionScope = "total" | "body_after_prefix";

/** What a profile can set, too. */
interface SettingsTable {
  readonly model?: string;
  readonly model_catalog_json?: string;
  readonly models?: Readonly<Record<string, ModelTable>>;
  readonly model_provider?: string;
  readonly oss_provider?: LocalProviderId;
  readonly local_ports?: readonly number[];
  readonly model_providers?: Readonly<Record<string, ProviderTable>>;
  readonly openai_base_url?: string;
  readonly chatgpt_base_url?: string;
  readonly cli_auth_credentials_store?: "file" | "keyring" | "auto";
  readonly mcp_oauth_credentials_store?: "file" | "keyring" | "auto";
  readonly forced_login_method?: "chatgpt" | "api";
  readonly login?: LoginTable;
  readonly model_context_window?: number;
  /** 0: never by itself. */
  readonly model_auto_compact_token_limit?: number;
  readonly model_auto_compact_token_limit_scope?: CompactionScope;
  readonly compact_prompt?: string;
  readonly experimental_compact_prompt_file?: string;
  readonly model_reasoning_effort?: ReasoningEffort;
  readonly model_reasoning_summary?: ReasoningSummary;
  readonly model_reasoning_context?: ReasoningContext;
  readonly model_verbosity?: Verbosity;
  readonly model_instructions_file?: string;
  readonly developer_instructions?: string;
  readonly service_tier?: string;
  readonly approval_policy?: ApprovalPolicy | GranularPolicyTable;
  readonly sandbox_mode?: SandboxMode;
  readonly sandbox_workspace_write?: WorkspaceWriteTable;
  readonly sandbox?: SandboxTable;
  readonly allow_login_shell?: boolean;
  readonly shell_environment_policy?: ShellEnvironmentTable;
  readonly command_timeout_ms?: number;
  readonly shell_tool?: ModelFamily["shellTool"];
  readonly tool_output_token_limit?: number;
  readonly mask_secrets?: boolean;
  readonly web_search?: WebSearchMode;
  readonly mcp_startup_grace_ms?: number;
  readonly mcp_tool_schema_tokens?: number;
  readonly mcp_servers?: Readonly<Record<string, McpServerTable>>;
  readonly project_doc_max_bytes?: number;
  readonly project_doc_fallback_filenames?: readonly string[];
  readonly history?: HistoryTable;
  readonly budget?: BudgetTable;
  readonly repeated_calls?: RepeatedCallsTable;
  readonly skills?: SkillsTable;
  readonly hide_agent_reasoning?: boolean;
  readonly notify?: readonly string[];
  readonly tui?: TuiTable;
}

/** Of the terminal program. */
interface TuiTable {
  readonly animations?: boolean;
  readonly notifications?: boolean;
  readonly notification_method?: "auto" | "osc9" | "osc777" | "bel";
  readonly status_line?: readonly string[];
  readonly theme?: "auto" | "dark" | "light" | "plain";
}

/** Of the questions that `on-request` asks, which are asked. */
interface GranularPolicyTable {
  readonly granular: {
    readonly sandbox_approval?: boolean;
    readonly rules?: boolean;
    readonly mcp_elicitations?: boolean;
    /** For the reference: nothing here asks them. */
    readonly request_permissions?: boolean;
    readonly skill_approval?: boolean;
  };
}

interface LoginTable {
  readonly issuer?: string;
  readonly client_id?: string;
  readonly scopes?: readonly string[];
  readonly hosts?: readonly string[];
}

export interface ProjectTable {
  readonly trust_level?: "trusted" | "untrusted";
}

export interface ProviderTable {
  readonly name?: string;
  readonly preset?: PresetId;
  readonly base_url?: string;
  readonly env_key?: string;
  readonly env_key_instructions?: string;
  readonly key_header?: string;
  readonly experimental_bearer_token?: string;
  readonly auth_command?: readonly string[];
  readonly auth_command_timeout_ms?: number;
  readonly auth?: AuthTable;
  readonly wire_api?: string;
  readonly query_params?: Readonly<Record<string, string>>;
  readonly http_headers?: Readonly<Record<string, string>>;
  readonly env_http_headers?: Readonly<Record<string, string>>;
  readonly request_max_retries?: number;
  readonly stream_max_retries?: number;
  readonly stream_idle_timeout_ms?: number;
  readonly startup_timeout_ms?: number;
  readonly requires_openai_auth?: boolean;
  readonly supports_any_items?: boolean;
  readonly supports_compaction?: boolean;
  readonly supports_custom_tools?: boolean;
  readonly supports_developer_messages?: boolean;
  readonly supports_encrypted_reasoning?: boolean;
  readonly supports_images?: boolean;
  readonly supports_prompt_cache_key?: boolean;
  readonly supports_reasoning_items?: boolean;
  readonly supports_reasoning_summaries?: boolean;
  readonly supports_repeated_roles?: boolean;
  readonly supports_store?: boolean;
  readonly supports_web_search?: boolean;
  readonly thread_headers?: ThreadHeaders;
}

/** A command for the key, as the Codex CLI has it. */
interface AuthTable {
  readonly command: string;
  readonly args?: readonly string[];
  readonly timeout_ms?: number;
  /** 0: only after a 401. */
  readonly refresh_interval_ms?: number;
  readonly cwd?: string;
}

interface HistoryTable {
  readonly persistence?: "save-all" | "none";
}

/** 0: no limit. */
interface SpendingTable {
  readonly max_turns?: number;
  readonly max_tokens?: number;
  readonly max_cost?: number;
}

export interface BudgetTable extends SpendingTable {
  /** 0: no limit. */
  readonly max_time_sec?: number;
  readonly thread?: SpendingTable;
}

/** 0: never. */
interface RepeatedCallsTable {
  readonly nudge_after?: number;
  readonly stop_after?: number;
}

interface SkillsTable {
  readonly include_instructions?: boolean;
  readonly config?: readonly SkillRuleTable[];
}

interface SkillRuleTable {
  readonly path?: string;
  readonly name?: string;
  readonly enabled: boolean;
}

interface WorkspaceWriteTable {
  readonly writable_roots?: readonly string[];
  readonly network_access?: boolean;
  readonly exclude_tmpdir_env_var?: boolean;
  readonly exclude_slash_tmp?: boolean;
  readonly git?: GitAccess;
}

interface SandboxTable {
  readonly allow_weaker?: boolean;
  readonly deny_read?: readonly string[];
  /** 0: no limit. */
  readonly max_processes?: number;
  /** 0: no limit. */
  readonly max_memory_mb?: number;
  /** 0: no limit. */
  readonly max_total_memory_mb?: number;
}

interface ShellEnvironmentTable {
  readonly inherit?: "all" | "core" | "none";
  readonly ignore_default_excludes?: boolean;
  readonly exclude?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly include_only?: readonly string[];
}

export interface McpOAuthTable {
  readonly client_id?: string;
  readonly client_secret_env_var?: string;
  readonly client_metadata_url?: string;
  readonly scopes?: readonly string[];
}

/** `[mcp_servers.<id>]` as it stands in `config.toml`; times are in seconds. */
export interface McpServerTable {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly env_vars?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly bearer_token_env_var?: string;
  readonly oauth?: McpOAuthTable;
  readonly scopes?: readonly string[];
  readonly http_headers?: Readonly<Record<string, string>>;
  readonly env_http_headers?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly required?: boolean;
  readonly startup_timeout_sec?: number;
  readonly tool_timeout_sec?: number;
  readonly enabled_tools?: readonly string[];
  readonly disabled_tools?: readonly string[];
  readonly default_tools_approval_mode?: McpApprovalMode;
  readonly tools?: Readonly<Record<string, McpToolTable>>;
}

interface McpToolTable {
  readonly approval_mode?: McpApprovalMode;
}
