import { isDeepStrictEqual } from "node:util";
import {
  ConfigError,
  explainUnsupportedEffort,
  findModel,
  findPermissions,
  isOwnArgument,
  isServerArgument,
  type ResolvedConfig,
} from "@unroll/config";
import type { JournalEntry, RecordedSettings, SandboxLimits } from "@unroll/protocol";
import { tightenSandbox } from "../sub-agent/tighten-sandbox.ts";

const keys = {
  reasoningEffort: "model_reasoning_effort",
  reasoningContext: "model_reasoning_context",
  verbosity: "model_verbosity",
} as const;

/** Keys of the sandbox that a thread records. */
const sandboxKeys = [
  "sandbox_mode",
  "sandbox_workspace_write.writable_roots",
  "sandbox_workspace_write.network_access",
] as const;

type SentSetting = keyof typeof keys;

/** The settings that a thread is opened with, and what the user has to know of them. */
interface ContinuedSettings {
  readonly config: ResolvedConfig;
  readonly warnings: readonly string[];
}

/**
 * The config for a thread with these entries; none: it is a new one. A resumed or forked thread keeps its account, sandbox and approval policy, and with
 * the same model also the effort, verbosity and reasoning context that it sent. An argument overrides what was recorded. Throws `ConfigError`
 * `value_invalid` for an effort that the model does not take; after a switch of the model the catalogue's effort replaces it, with a warning.
 */
export function continueSettings(own: ResolvedConfig, entries: readonly JournalEntry[]): ContinuedSettings {
  const config = keepAccount(own, entries);
  const recorded = readRecorded(entries);
  if (recorded === null) return settleEffort(config, false);
  const isSwitched = recorded.settings.model !== config.model;
  const permitted = keepPermissions(config, entries);
  return settleEffort(isSwitched ? permitted : keepRecorded(permitted, recorded), isSwitched);
}

/** The login that a thread with these entries used last; null: it used another credential, or nobody knows. */
export function findAccount(entries: readonly JournalEntry[]): string | null {
  const all = entries.flatMap((entry) => (entry.type === "settings" ? [entry.settings.account ?? null] : []));
  return all.findLast((account) => account !== null) ?? null;
}

/** An account that was chosen in the thread holds until another one is chosen there. */
export function carryAccount(config: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const isOfThread = ({ origins }: ResolvedConfig): boolean => origins.get("account")?.type === "thread";
  return isOfThread(now) && !isOfThread(config) ? withAccount(config, now.login.account) : config;
}

/** A thread keeps the name of its account, and no credential. */
function keepAccount(config: ResolvedConfig, entries: readonly JournalEntry[]): ResolvedConfig {
  const account = findAccount(entries);
  const isKept = account === null || account === config.login.account;
  return isKept || config.origins.get("account")?.type === "argument" ? config : withAccount(config, account);
}

function withAccount(config: ResolvedConfig, account: string): ResolvedConfig {
  const origins = new Map([...config.origins, ["account", { type: "thread" }] as const]);
  return { ...config, login: { ...config.login, account }, origins };
}

/**
 * The config with the sandbox and the approval policy that we recorded last. Later settings of another program do not count: its words may mean
 * something else. Files that commands must not read stay as the config has them, besides those of the thread's permission profile and its other limits. Throws
 * `ConfigError` for a recorded profile that the config no longer has.
 */
function keepPermissions(config: ResolvedConfig, entries: readonly JournalEntry[]): ResolvedConfig {
  const last = entries.findLast((entry) => entry.type === "settings")?.settings;
  if (last === undefined || !isOwnRecord(last)) return config;
  const { approvalPolicy, sandboxMode: mode, workspace } = last;
  const isArgument = (key: string): boolean => isOwnArgument(config.origins.get(key));
  const origins = new Map(config.origins);
  let kept = config;
  const isBound = isServerArgument(config.origins.get("approval_policy")) && approvalPolicy !== "untrusted";
  if (!isArgument("approval_policy") && !isBound && approvalPolicy !== config.approvalPolicy) {
    kept = { ...kept, approvalPolicy, approvalQuestions: null };
    origins.set("approval_policy", { type: "thread" });
  }
  if (isArgument("sandbox_mode")) return { ...kept, origins };
  const { writableRoots, networkAccess } = config.sandboxSettings;
  const { denyRead = [], closedRoots = [], ...limits } = last.limits ?? {};
  // where one was taken away, the recorded ones are all
  const openRoots = closedRoots.length > 0 ? [] : writableRoots;
  const sandboxSettings = {
    ...config.sandboxSettings,
    ...limits,
    denyRead: [...new Set([...config.sandboxSettings.denyRead, ...denyRead])],
    mode,
    ...(workspace && {
      writableRoots: isArgument("sandbox_workspace_write.writable_roots")
        ? writableRoots
        : [...new Set([...workspace.writableRoots, ...openRoots])],
      networkAccess: isArgument("sandbox_workspace_write.network_access") ? networkAccess : workspace.networkAccess,
    }),
  };
  const recorded =
    last.permissionProfile === undefined
      ? { sandboxSettings, permissionProfile: null }
      : findPermissions(config, last.permissionProfile);
  const sandbox = limitByServer(recorded, config);
  if (!isDeepStrictEqual(sandbox.sandboxSettings, config.sandboxSettings)) {
    kept = { ...kept, ...sandbox };
    origins.set("sandbox_mode", { type: "thread" });
  }
  return kept === config ? config : { ...kept, origins };
}

type Permissions = Pick<ResolvedConfig, "sandboxSettings" | "permissionProfile">;

/** No argument of a server widens the sandbox of a thread, and none is widened by it. */
function limitByServer(recorded: Permissions, { sandboxSettings: server, origins }: ResolvedConfig): Permissions {
  const isOfServer = (key: string): boolean => isServerArgument(origins.get(key));
  if (!sandboxKeys.some(isOfServer)) return recorded;
  const own = recorded.sandboxSettings;
  const { mode, networkAccess } = server;
  const bound = { ...server, mode: isOfServer("sandbox_mode") ? mode : own.mode };
  const network = isOfServer("sandbox_workspace_write.network_access") ? networkAccess : own.networkAccess;
  const tight = tightenSandbox(own, { ...bound, networkAccess: network });
  const writableRoots = isOfServer("sandbox_workspace_write.writable_roots")
    ? tight.writableRoots.filter((root) => server.writableRoots.includes(root))
    : tight.writableRoots;
  const sandboxSettings = { ...tight, writableRoots };
  return isDeepStrictEqual(sandboxSettings, own) ? recorded : { sandboxSettings, permissionProfile: null };
}

/** Whether this program recorded the settings; the Codex CLI records no verbosity. */
export function isOwnRecord({ verbosity }: RecordedSettings): boolean {
  return verbosity !== undefined;
}

/**
 * The settings of an open thread, `now`, with the model of another config. Settings that depend on
 * the model come from that config; folder, sandbox and approvals stay, and so does an effort that
 * was set in the thread. An effort that the model does not take is replaced, with a warning.
 */
export function switchSettings(config: ResolvedConfig, now: ResolvedConfig): ContinuedSettings {
  const { cwd, projectRoot, projectTrust, approvalPolicy, approvalQuestions } = now;
  const { sandboxSettings, permissionProfile } = now;
  const permissions = { approvalPolicy, approvalQuestions, sandboxSettings, permissionProfile };
  const place = { cwd, projectRoot, projectTrust, ...permissions };
  if (config.model === now.model) {
    const { reasoningEffort, reasoningContext, reasoningSummary, verbosity, origins } = now;
    const sent = { reasoningEffort, reasoningContext, reasoningSummary, verbosity, origins };
    return { config: { ...config, ...place, ...sent }, warnings: [] };
  }
  const key = keys.reasoningEffort;
  const isOfThread = now.origins.get(key)?.type === "thread" && now.reasoningEffort !== null;
  const { reasoningEffort } = isOfThread ? now : config;
  // It counts as the thread's, wherever it was set, so that the switch is not refused because of
  // it.
  const isSet = isOfThread || config.origins.has(key);
  const origins = isSet ? new Map([...config.origins, [key, { type: "thread" } as const]]) : config.origins;
  return settleEffort({ ...config, ...place, reasoningEffort, origins }, true);
}

/**
 * The program that recorded settings: a version that records everything it sent; an earlier one,
 * which only sent what the user set; or another program, which sent its own defaults, and these are
 * the catalogue's.
 */
interface Recorded {
  readonly by: "this" | "earlier" | "other";
  readonly settings: RecordedSettings;
}

/**
 * Null: no turn began yet. If another program continued our thread, it recorded only an effort, if
 * one was set.
 */
function readRecorded(entries: readonly JournalEntry[]): Recorded | null {
  const all = entries.flatMap((entry) => (entry.type === "settings" ? [entry.settings] : []));
  const last = all.at(-1);
  if (last === undefined) return null;
  const own = all.findLast(isOwnRecord);
  if (own !== undefined) {
    const reasoningEffort = last.reasoningEffort ?? own.reasoningEffort;
    return { by: "this", settings: { ...own, model: last.model, reasoningEffort } };
  }
  const isOurs = entries.some((entry) => entry.type === "thread.opened" && entry.head !== null);
  return { by: isOurs ? "earlier" : "other", settings: last };
}

function keepRecorded(config: ResolvedConfig, recorded: Recorded): ResolvedConfig {
  const names: readonly SentSetting[] = ["reasoningEffort", "reasoningContext", "verbosity"];
  return names.reduce((kept, name) => keepSetting(kept, recorded, name), config);
}

function keepSetting(config: ResolvedConfig, { by, settings }: Recorded, name: SentSetting): ResolvedConfig {
  const origin = config.origins.get(keys[name]);
  const value = settings[name] ?? null;
  const isUnsaid = value === null && (by === "other" || (by === "earlier" && origin !== undefined));
  if (origin?.type === "argument" || isUnsaid || value === config[name]) return config;
  return { ...config, [name]: value, origins: new Map([...config.origins, [keys[name], { type: "thread" }]]) };
}

function settleEffort(config: ResolvedConfig, isSwitched: boolean): ContinuedSettings {
  const { model, provider, catalogue, reasoningEffort, origins } = config;
  const fault = reasoningEffort === null ? null : explainUnsupportedEffort(reasoningEffort, config);
  if (fault === null) return { config, warnings: [] };
  const key = keys.reasoningEffort;
  const origin = origins.get(key);
  const isOfThread = origin?.type === "thread" || (isSwitched && origin?.type !== "argument");
  if (!isOfThread) throw new ConfigError({ code: "value_invalid", message: `${key}: ${fault}`, key, origin });
  const { sentEffort } = findModel(catalogue, model, provider.id).info;
  const own = sentEffort !== null && explainUnsupportedEffort(sentEffort, config) === null ? sentEffort : null;
  const left = new Map([...origins].filter(([name]) => name !== key));
  return {
    config: { ...config, reasoningEffort: own, origins: left },
    warnings: [`${fault} ${own === null ? "Sending no effort" : `Using ${own}`} instead.`],
  };
}

/** The current settings, to be recorded. `account`: the login of the requests; null: they use another credential. */
export function toRecordedSettings(config: ResolvedConfig, account: string | null): RecordedSettings {
  const { cwd, model, approvalPolicy, permissionProfile: profile } = config;
  const { mode: sandboxMode, writableRoots, networkAccess } = config.sandboxSettings;
  const { reasoningEffort, reasoningSummary, reasoningContext, verbosity } = config;
  const sent = { reasoningEffort, reasoningSummary, reasoningContext, verbosity };
  const workspace = sandboxMode === "workspace-write" ? { workspace: { writableRoots, networkAccess } } : {};
  // a built-in profile says no more than the mode
  const named = profile === null || profile.startsWith(":") ? {} : { permissionProfile: profile };
  const limits = profile === null ? listLimits(config) : {};
  const limited = Object.keys(limits).length === 0 ? {} : { limits };
  const login = account === null ? {} : { account };
  return { cwd, model, approvalPolicy, sandboxMode, ...workspace, ...limited, ...named, ...sent, ...login };
}

/** The limits that no other record says: a client's sandbox, for example, keeps those of the profile that it replaces. */
function listLimits({ sandboxSettings: now, permissionProfiles: { base } }: ResolvedConfig): SandboxLimits {
  const denyRead = now.denyRead.filter((path) => !base.denyRead.includes(path));
  const closedRoots = base.writableRoots.filter((path) => !now.writableRoots.includes(path));
  return {
    ...(denyRead.length > 0 && { denyRead }),
    ...(now.mode === "workspace-write" && closedRoots.length > 0 && { closedRoots }),
    ...(now.excludeSlashTmp && !base.excludeSlashTmp && { excludeSlashTmp: true }),
    ...(now.excludeTmpdirEnvVar && !base.excludeTmpdirEnvVar && { excludeTmpdirEnvVar: true }),
    ...(now.git === "protected" && base.git !== "protected" && { git: "protected" }),
  };
}
