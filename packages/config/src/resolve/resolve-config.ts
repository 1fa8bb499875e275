import { join } from "node:path";
import type { HostLists, ModelFamily, SandboxSettings } from "@unroll/protocol";
import { findHome, toMcpTokenFolder } from "../codex-home.ts";
import { type ConfigWarning, ConfigError } from "../config-error.ts";
import { commandKeys } from "../keys/command-keys.ts";
import type { ConfigTable, Members } from "../keys/config-table.ts";
import type { TopKeys } from "../keys/key-sections.ts";
import { loginKeys } from "../keys/login-keys.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { findModel } from "../models/find-model.ts";
import { presets, plainPreset } from "../providers/presets.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { ResolvedConfig, SkillRule } from "../resolved-config.ts";
import { formatKey } from "../toml/table.ts";
import { collectSecrets, listFilesWithSecrets } from "./collect-secrets.ts";
import { parseTopMembers } from "./parse-members.ts";
import { resolveProfile } from "./permission-profile.ts";
import { type ResolveContext, resolvePath } from "./resolve-context.ts";
import { resolveMcpServers } from "./resolve-mcp-servers.ts";
import { resolveModel } from "./resolve-model.ts";
import { resolveProvider, holdsLogin, unknownProvider } from "./resolve-provider.ts";
import { findHostFault } from "../check/find-host-fault.ts";
import { checkHiddenPaths } from "../check/check-hidden-paths.ts";
import { restrictConfig } from "./restrict-config.ts";
import { selectPermissions } from "./select-permissions.ts";

/** Fills in the defaults and turns the tables into what the harness works with. */
export function resolveConfig(context: ResolveContext): ResolvedConfig {
  const config = resolveOne(context);
  const modelFallbacks = resolveFallbacks(context, config);
  const others = modelFallbacks.flatMap((each) => each.warnings.filter(({ code }) => fallbackCodes.has(code)));
  const warnings = new Map([...config.warnings, ...others].map((warning) => [warning.message, warning]));
  return { ...config, modelFallbacks, warnings: [...warnings.values()] };
}

/** Warnings about the model of a config and its provider. */
const fallbackCodes: ReadonlySet<string> = new Set(["model_unknown", "provider_undeclared"]);

/** A name alone is a model of the provider in use. Throws `ConfigError` for an unknown provider. */
function resolveFallbacks(context: ResolveContext, { model, provider }: ResolvedConfig): readonly ResolvedConfig[] {
  const origin = context.origins.get("model_fallbacks");
  const given = ["model", "model_provider"].flatMap((key) => (origin ? [[key, origin] as const] : []));
  const origins = new Map([...context.origins, ...given]);
  const others = new Map<string, ResolvedConfig>();
  for (const each of context.table.model_fallbacks ?? []) {
    const named = typeof each === "string" ? { model: each, model_provider: provider.id } : each;
    const id = JSON.stringify([named.model_provider, named.model]);
    if (others.has(id) || (named.model_provider === provider.id && named.model === model)) continue;
    if (!Object.hasOwn(context.table.model_providers ?? {}, named.model_provider))
      throw unknownProvider(context, "model_fallbacks", named.model_provider);
    others.set(id, resolveOne({ ...context, origins, table: { ...context.table, ...named } }));
  }
  return [...others.values()];
}

function resolveOne(context: ResolveContext): ResolvedConfig {
  const { table, sources, cwd, projectRoot, projectTrust, projects, catalogue } = context;
  const named = resolveProvider(context);
  const { warnings, compaction, ...resolvedModel } = resolveModel(context, named);
  const { modelFamily } = resolvedModel;
  const provider = sendReasoningBack(named, context, modelFamily);
  const members = parseTopMembers(context);
  const { decided, ...permissions } = resolvePermissions(context, members.sandboxSettings);
  const webSearchMode = table.web_search ?? (provider.id === "openai" ? "cached" : "disabled");
  const config: ResolvedConfig = {
    ...members,
    ...resolvedModel,
    codexHome: sources.codexHome,
    cwd,
    projectRoot,
    profile: sources.profile ?? table.profile ?? null,
    catalogue,
    provider,
    modelFallbacks: [],
    login: { ...members.login, issuer: resolveIssuer(context) },
    compaction: { ...members.compaction, ...compaction },
    ...resolveApprovals(table),
    ...permissions,
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
    terminal: { ...members.terminal, keymap: table.tui?.keymap ?? {} },
    skills: { ...members.skills, rules: resolveSkillRules(context) },
    budget: { ...members.budget, thread: { ...members.budget.thread, maxTimeMs: null } },
    ...collectSecrets(table),
    warnings: [
      ...context.warnings,
      ...warnings,
      ...reportNoPreset(context, provider),
      ...warnOfUnsupported(table, provider),
      ...warnOfTimeout(table, modelFamily.shellTool),
      ...warnOfAddDirs(context, permissions.sandboxSettings.mode),
      ...warnOfHosts(context, permissions.sandboxSettings),
    ],
    origins: decided,
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

/**
 * A granular policy is `on-request` with fewer questions, or `never` with exceptions. Questions
 * that it does not name are not asked.
 */
function resolveApprovals({
  approval_policy: policy = commandKeys.keys.approval_policy.default,
}: ConfigTable): Pick<ResolvedConfig, "approvalPolicy" | "approvalQuestions"> {
  if (typeof policy === "string") return { approvalPolicy: policy, approvalQuestions: null };
  const { sandbox_approval: sandbox = false, rules = false, mcp_elicitations: mcp = false } = policy.granular;
  return { approvalPolicy: sandbox ? "on-request" : "never", approvalQuestions: { rules, mcp } };
}

/** Warns about settings that are not sent, because the server does not know them. */
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
  const message = `${key} has no effect on exec_command, which the model uses for commands and which has no time limit. To set a limit, use shell_tool = "shell_command".`;
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

/** A model that only OpenAI has, of a provider that nobody declared: most likely a gateway, and the model could have more. */
function reportNoPreset(
  { table, catalogue }: ResolveContext,
  { id, preset, takes }: ProviderConfig,
): readonly ConfigWarning[] {
  const model = table.model ?? modelKeys.keys.model.default;
  const isPlain = preset === null && takes.customTools === plainPreset.takes.customTools;
  if (!isPlain || findModel(catalogue, model, id).info.provider !== "openai") return [];
  const key = formatKey(["model_providers", id, "preset"]);
  const message = `The provider ${id} has no preset, so ${model} gets only what most servers take: no freeform tools, no encrypted reasoning. If it is a gateway to OpenAI, set ${key} = "openai".`;
  return [{ code: "provider_undeclared", message, key }];
}

/** Where a person logs in. Throws `ConfigError` for an issuer or an address of ChatGPT that credentials cannot be sent to. */
function resolveIssuer(context: ResolveContext): string {
  const { chatgpt_base_url: chatgpt, login = {} } = context.table;
  if (chatgpt !== undefined) checkAddress(context, "chatgpt_base_url", chatgpt);
  if (login.issuer !== undefined) checkAddress(context, "login.issuer", login.issuer);
  return (login.issuer ?? loginKeys.keys["login.issuer"].default).replace(/\/+$/, "");
}

const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function checkAddress({ origins }: ResolveContext, key: string, text: string): void {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && thisMachine.has(url.hostname));
  if (url !== null && isSafe && !holdsLogin(url) && url.search === "" && url.hash === "") return;
  throw new ConfigError({
    code: "value_invalid",
    message: `${key} must be an https:// address (or an http:// address on this machine) without user name and query, because credentials are sent to it.`,
    key,
    origin: origins.get(key),
  });
}

interface ResolvedPermissions extends Pick<
  ResolvedConfig,
  "sandboxSettings" | "permissionProfile" | "permissionProfiles"
> {
  /** The origins, with those of the keys that a selected profile decides. */
  readonly decided: ResolvedConfig["origins"];
}

/** The sandbox settings: those of the selected permission profile, or those of the sandbox keys. */
function resolvePermissions(
  context: ResolveContext,
  settings: Members<TopKeys>["sandboxSettings"],
): ResolvedPermissions {
  const { table, origins, sources, cwd, layers } = context;
  const base = resolveSandboxSettings(context, settings);
  const home = findHome(sources.env);
  const permissionProfiles = {
    tables: table.permissions ?? {},
    base,
    addedRoots: listAddedRoots(context),
    addedHosts: sources.flags.allowHosts ?? [],
    home,
  };
  const selected = selectPermissions(layers);
  if (selected === null)
    return { sandboxSettings: base, permissionProfile: null, permissionProfiles, decided: origins };
  const { name, origin } = selected;
  return {
    sandboxSettings: resolveProfile(name, permissionProfiles, { cwd, origins, origin }),
    permissionProfile: name,
    permissionProfiles,
    // so that a resumed thread and `config explain` see who set the sandbox
    decided: new Map([...origins, ...sandboxKeys.map((key) => [key, origin] as const)]),
  };
}

/** The keys that a permission profile decides. */
const sandboxKeys = [
  "sandbox_mode",
  "sandbox_workspace_write.writable_roots",
  "sandbox_workspace_write.network_access",
];

/**
 * The requested sandbox. `--add-dir` adds to the writable roots; the harness's own credential files
 * are never readable.
 */
function resolveSandboxSettings(
  context: ResolveContext,
  settings: Members<TopKeys>["sandboxSettings"],
): SandboxSettings {
  const { table, sources, layers } = context;
  const { table: users, origins } = context.users;
  const usersDenyRead = users.sandbox?.deny_read ?? [];
  const usersHidden = usersDenyRead.map((path) => resolvePath({ ...context, origins }, "sandbox.deny_read", path));
  checkHiddenPaths(usersHidden, origins.get("sandbox.deny_read"));
  checkHiddenPaths(settings.denyRead, context.origins.get("sandbox.deny_read"));
  const { max_total_memory_mb: memory } = table.sandbox ?? {};
  const hosts = resolveHosts(context);
  return {
    ...settings,
    ...(hosts && { hosts }),
    writableRoots: unique([...settings.writableRoots, ...listAddedRoots(context)]),
    denyRead: unique([
      join(sources.codexHome, "auth.json"),
      toMcpTokenFolder(sources.codexHome),
      ...listFilesWithSecrets(layers),
      // a project may add to the user's
      ...usersHidden,
      ...settings.denyRead,
    ]),
    // 0 stands for none: TOML has no null
    limits: { ...settings.limits, maxTotalMemoryMb: memory === undefined ? "most" : memory || null },
  };
}

/** Null: no host is allowed by name. */
function resolveHosts({ table, sources, origins }: ResolveContext): HostLists | null {
  const { allow, deny } = table.sandbox_workspace_write?.network ?? {};
  const { allowHosts } = sources.flags;
  if (allow === undefined && deny === undefined && !allowHosts?.length) return null;
  const hosts = { allow: unique([...(allow ?? []), ...(allowHosts ?? [])]), deny: deny ?? [] };
  const added = findHostFault({ allow: allowHosts ?? [], deny: [] });
  const fault = added ?? findHostFault(hosts);
  if (fault === null) return hosts;
  const key = "sandbox_workspace_write.network";
  const origin = origins.get(`${key}.allow`) ?? origins.get(`${key}.deny`);
  throw new ConfigError({
    code: "value_invalid",
    message: `${added === null ? key : "--allow-host"}: ${fault}`,
    key,
    origin,
  });
}

/** Warns about a flag or a key that has no effect beside others. */
function warnOfHosts(
  { sources }: ResolveContext,
  { mode, networkAccess, hosts }: SandboxSettings,
): readonly ConfigWarning[] {
  if (hosts && networkAccess && mode === "workspace-write") {
    const key = "sandbox_workspace_write.network_access";
    return [
      {
        code: "value_ignored",
        message: `${key} has no effect: commands reach only the hosts of sandbox_workspace_write.network.`,
        key,
      },
    ];
  }
  if (mode === "workspace-write" || !sources.flags.allowHosts?.length) return [];
  const message = `--allow-host has no effect in the sandbox mode ${mode}: use workspace-write.`;
  return [{ code: "value_ignored", message }];
}

function listAddedRoots(context: ResolveContext): readonly string[] {
  return (context.sources.flags.addDirs ?? []).map((path) => resolvePath(context, "--add-dir", path));
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
