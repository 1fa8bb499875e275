import { ConfigError, explainUnsupportedEffort, findModel, type ResolvedConfig } from "@unroll/config";
import type { JournalEntry, RecordedSettings } from "@unroll/protocol";

const keys = {
  reasoningEffort: "model_reasoning_effort",
  reasoningContext: "model_reasoning_context",
  verbosity: "model_verbosity",
} as const;

type SentSetting = keyof typeof keys;

/** The settings that a thread is opened with, and what the user has to know of them. */
interface ContinuedSettings {
  readonly config: ResolvedConfig;
  readonly warnings: readonly string[];
}

/**
 * The config for a thread with these entries; none: it is a new one. A thread that is resumed or forked keeps the effort, the verbosity and
 * the context of reasoning that it sent, unless an argument sets them. With another model it gets what the config says for that. Throws
 * `ConfigError` `value_invalid` for an effort that the model does not take; where the model is switched, the catalogue's takes its place,
 * with a warning.
 */
export function continueSettings(config: ResolvedConfig, entries: readonly JournalEntry[]): ContinuedSettings {
  const recorded = readRecorded(entries);
  const isSwitched = recorded !== null && recorded.settings.model !== config.model;
  return settleEffort(recorded === null || isSwitched ? config : keepRecorded(config, recorded), isSwitched);
}

/**
 * The settings of an open thread, `now`, with the model of another config. Settings that depend on
 * the model come from that config; folder, sandbox and approvals stay, and so does an effort that
 * was set in the thread. An effort that the model does not take is replaced, with a warning.
 */
export function switchSettings(config: ResolvedConfig, now: ResolvedConfig): ContinuedSettings {
  const { cwd, projectRoot, projectTrust, approvalPolicy, approvalQuestions, sandboxSettings } = now;
  const place = { cwd, projectRoot, projectTrust, approvalPolicy, approvalQuestions, sandboxSettings };
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
  const own = all.findLast(({ verbosity }) => verbosity !== undefined);
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
  const instead = own === null ? "none is sent" : `it is sent the catalogue's, ${own}`;
  return {
    config: { ...config, reasoningEffort: own, origins: left },
    warnings: [`${fault} Instead, ${instead}.`],
  };
}

/** The current settings, to be recorded. */
export function toRecordedSettings(config: ResolvedConfig): RecordedSettings {
  const { cwd, model, approvalPolicy, sandboxSettings } = config;
  const { reasoningEffort, reasoningSummary, reasoningContext, verbosity } = config;
  const sent = { reasoningEffort, reasoningSummary, reasoningContext, verbosity };
  return { cwd, model, approvalPolicy, sandboxMode: sandboxSettings.mode, ...sent };
}
