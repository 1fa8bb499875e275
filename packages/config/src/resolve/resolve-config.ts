import type { ModelFamily, WebSearchMode } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { presets } from "../providers/presets.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { ResolvedConfig, SkillRule } from "../resolved-config.ts";
import { commandKeys } from "../keys/command-keys.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import { collectSecrets } from "./collect-secrets.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { parseTopMembers } from "./parse-members.ts";
import { resolveIssuer } from "./resolve-login.ts";
import { resolveMcpServers } from "./resolve-mcp-servers.ts";
import { resolveModel } from "./resolve-model.ts";
import { resolvePath } from "./resolve-path.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { reportNoPreset } from "./report-no-preset.ts";
import { restrictConfig } from "./restrict-config.ts";
import { resolveSandboxSettings } from "./resolve-sandbox-settings.ts";

/** Fills in the defaults and turns the tables into what the harness works with. */
export function resolveConfig(context: ResolveContext): ResolvedConfig {
  const { table, origins, sources, cwd, projectRoot, projectTrust, projects } = context;
  const named = resolveProvider(context);
  const resolvedModel = resolveModel(context, named);
  const { modelFamily } = resolvedModel;
  const provider = sendReasoningBack(named, context, modelFamily);
  const members = parseTopMembers(context);
  const sandboxSettings = resolveSandboxSettings(context, members.sandboxSettings);
  const webSearchMode = resolveWebSearch(table, provider);
  const config: ResolvedConfig = {
    ...members,
    codexHome: sources.codexHome,
    cwd,
    projectRoot,
    profile: sources.profile ?? table.profile ?? null,
    model: resolvedModel.model,
    modelFamily,
    catalogue: context.catalogue,
    provider,
    login: { ...members.login, issuer: resolveIssuer(context) },
    reasoningEffort: resolvedModel.reasoningEffort,
    reasoningSummary: resolvedModel.reasoningSummary,
    reasoningContext: resolvedModel.reasoningContext,
    verbosity: resolvedModel.verbosity,
    modelInstructionsFile: resolvedModel.instructionsFile,
    compaction: { ...members.compaction, ...resolvedModel.compaction },
    ...resolveApprovals(table),
    sandboxSettings,
    webSearchMode,
    unrestricted: {
      applyPatchTool: modelFamily.applyPatchTool,
      supportsImages: modelFamily.supportsImages,
      supportsReasoningSummaries: modelFamily.supportsReasoningSummaries,
      webSearchMode,
    },
    mcpServers: resolveMcpServers(context),
    projectTrust,
    projects,
    skills: { ...members.skills, rules: resolveSkillRules(context) },
    budget: { ...members.budget, thread: { ...members.budget.thread, maxTimeMs: null } },
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

/** A granular policy is `on-request` with fewer questions, or `never` but for what it names; what it does not name is not asked. */
function resolveApprovals({
  approval_policy: policy = commandKeys.keys.approval_policy.default,
}: ConfigTable): Pick<ResolvedConfig, "approvalPolicy" | "approvalQuestions"> {
  if (typeof policy === "string") return { approvalPolicy: policy, approvalQuestions: null };
  const { sandbox_approval: sandbox = false, rules = false, mcp_elicitations: mcp = false } = policy.granular;
  return { approvalPolicy: sandbox ? "on-request" : "never", approvalQuestions: { rules, mcp } };
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

function resolveSkillRules(context: ResolveContext): readonly SkillRule[] {
  return (context.table.skills?.config ?? []).flatMap(({ path, name, enabled: isEnabled }): SkillRule[] => {
    if (path !== undefined) return [{ isEnabled, path: resolvePath(context, "skills.config", path) }];
    return name === undefined ? [] : [{ isEnabled, name }];
  });
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
