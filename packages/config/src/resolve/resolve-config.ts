import type { ModelFamily, ShellEnvironmentPolicy, WebSearchMode } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { presets } from "../providers/presets/presets.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { ResolvedConfig, TerminalSettings } from "../resolved-config.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import { defaults } from "../schema/defaults.ts";
import { resolveApprovals } from "./resolve-approvals.ts";
import { collectSecrets } from "./collect-secrets.ts";
import { resolveCompaction } from "./resolve-compaction.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolveBudget, resolveRepeatLimits } from "./resolve-budget.ts";
import { resolveLogin } from "./resolve-login.ts";
import { resolveMcpServers } from "./resolve-mcp-servers.ts";
import { resolveModel } from "./resolve-model.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { reportNoPreset } from "./report-no-preset.ts";
import { restrictConfig } from "./restrict-config.ts";
import { resolveSandboxSettings } from "./resolve-sandbox-settings.ts";
import { resolveSkills } from "./resolve-skills.ts";

/** Fills in the defaults and turns the tables into what the harness works with. */
export function resolveConfig(context: ResolveContext): ResolvedConfig {
  const { table, origins, sources, cwd, projectRoot, projectTrust, projects } = context;
  const named = resolveProvider(context);
  const resolvedModel = resolveModel(context, named);
  const { modelFamily } = resolvedModel;
  const provider = sendReasoningBack(named, context, modelFamily);
  const approvals = resolveApprovals(context);
  const sandboxSettings = resolveSandboxSettings(context);
  const webSearchMode = resolveWebSearch(table, provider);
  const config: ResolvedConfig = {
    codexHome: sources.codexHome,
    cwd,
    projectRoot,
    profile: sources.profile ?? table.profile ?? null,
    model: resolvedModel.model,
    modelFamily,
    catalogue: context.catalogue,
    provider,
    localPorts: table.local_ports ?? defaults.local_ports,
    login: resolveLogin(context),
    reasoningEffort: resolvedModel.reasoningEffort,
    reasoningSummary: resolvedModel.reasoningSummary,
    reasoningContext: resolvedModel.reasoningContext,
    verbosity: resolvedModel.verbosity,
    serviceTier: table.service_tier ?? null,
    modelInstructionsFile: resolvedModel.instructionsFile,
    developerInstructions: table.developer_instructions ?? null,
    compaction: resolveCompaction(context, {
      contextWindow: modelFamily.contextWindow,
      compactionLimit: resolvedModel.compactionLimit,
    }),
    approvalPolicy: approvals.policy,
    approvalQuestions: approvals.questions,
    sandboxSettings,
    shellEnvironmentPolicy: resolveShellEnvironment(table),
    commandTimeoutMs: table.command_timeout_ms ?? defaults.command_timeout_ms,
    maskSecrets: table.mask_secrets ?? defaults.mask_secrets,
    webSearchMode,
    unrestricted: {
      applyPatchTool: modelFamily.applyPatchTool,
      supportsImages: modelFamily.supportsImages,
      supportsReasoningSummaries: modelFamily.supportsReasoningSummaries,
      webSearchMode,
    },
    mcpServers: resolveMcpServers(context),
    mcpStartupGraceMs: table.mcp_startup_grace_ms ?? defaults.mcp_startup_grace_ms,
    mcpToolSchemaTokens: table.mcp_tool_schema_tokens ?? defaults.mcp_tool_schema_tokens,
    projectDocMaxBytes: table.project_doc_max_bytes ?? defaults.project_doc_max_bytes,
    projectDocFallbackFilenames: table.project_doc_fallback_filenames ?? defaults.project_doc_fallback_filenames,
    historyPersistence: table.history?.persistence ?? defaults["history.persistence"],
    allowLoginShell: table.allow_login_shell ?? defaults.allow_login_shell,
    hideAgentReasoning: table.hide_agent_reasoning ?? defaults.hide_agent_reasoning,
    terminal: resolveTerminal(table),
    projectTrust,
    projects,
    skills: resolveSkills(context),
    budget: resolveBudget(context),
    repeatedCalls: resolveRepeatLimits(table),
    ...collectSecrets(table),
    warnings: [
      ...context.warnings,
      ...resolvedModel.warnings,
      ...reportNoPreset(context, provider),
      ...warnOfUnsupported(table, provider),
      ...warnOfTimeout(table, modelFamily.shellTool),
      ...warnOfAddDirs(context, sandboxSettings.mode),
    ],
    origins,
  };
  return restrictConfig({ ...config, provider: { ...provider, takes: presets.openai.takes } }, provider.takes);
}

/** A model that is known to reason gets its reasoning back on any machine, unless a key says otherwise. */
function sendReasoningBack(
  provider: ProviderConfig,
  { table }: ResolveContext,
  { supportsReasoning }: ModelFamily,
): ProviderConfig {
  const own = table.model_providers?.[provider.id]?.supports_reasoning_items;
  const reasoningItems = own ?? (provider.takes.reasoningItems || supportsReasoning);
  return { ...provider, takes: { ...provider.takes, reasoningItems } };
}

function resolveTerminal({ notify, tui = {} }: ConfigTable): TerminalSettings {
  return {
    notify: notify ?? defaults.notify,
    notifications: tui.notifications ?? defaults["tui.notifications"],
    notificationMethod: tui.notification_method ?? defaults["tui.notification_method"],
    animations: tui.animations ?? defaults["tui.animations"],
    theme: tui.theme ?? defaults["tui.theme"],
    statusLine: tui.status_line ?? null,
  };
}

function resolveWebSearch({ web_search: mode }: ConfigTable, { id }: ProviderConfig): WebSearchMode {
  return mode ?? (id === "openai" ? "cached" : "disabled");
}

/** What was asked for, and is not sent to a server that does not know it. */
function warnOfUnsupported(table: ConfigTable, provider: ProviderConfig): readonly ConfigWarning[] {
  const { web_search: search = "disabled", model_reasoning_summary: summary = "none" } = table;
  const lost = [
    ...(search === "disabled" || provider.takes.webSearch ? [] : ["web_search"]),
    ...(summary === "none" || provider.takes.reasoningSummaries ? [] : ["model_reasoning_summary"]),
  ];
  return lost.map((key) => ({
    code: "value_ignored",
    message: `${key} has no effect: the provider ${provider.name} does not support it.`,
    key,
  }));
}

function warnOfTimeout(
  { command_timeout_ms: timeoutMs }: ConfigTable,
  tool: ModelFamily["shellTool"],
): readonly ConfigWarning[] {
  const key = "command_timeout_ms";
  if (timeoutMs === undefined || tool !== "exec_command") return [];
  const message = `${key} has no effect on exec_command, which the model uses for commands: it has no time limit. For one, set shell_tool = "shell_command".`;
  return [{ code: "value_ignored", message, key }];
}

function resolveShellEnvironment({ shell_environment_policy: policy = {} }: ConfigTable): ShellEnvironmentPolicy {
  return {
    inherit: policy.inherit ?? defaults["shell_environment_policy.inherit"],
    ignoreDefaultExcludes:
      policy.ignore_default_excludes ?? defaults["shell_environment_policy.ignore_default_excludes"],
    exclude: policy.exclude ?? defaults["shell_environment_policy.exclude"],
    set: policy.set ?? defaults["shell_environment_policy.set"],
    includeOnly: policy.include_only ?? defaults["shell_environment_policy.include_only"],
  };
}

function warnOfAddDirs({ sources }: ResolveContext, mode: string): readonly ConfigWarning[] {
  if (mode !== "read-only" || !sources.flags.addDirs?.length) return [];
  return [
    {
      code: "add_dir_without_effect",
      message: "--add-dir has no effect in the sandbox mode read-only: use workspace-write.",
    },
  ];
}
