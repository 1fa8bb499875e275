import type { Host, ResolvedConfig } from "@unroll/harness";
import { loadProgramConfig, type ProgramFlags } from "@unroll/program";

/** A model by its name, at the provider with this id. */
export interface NamedModel {
  readonly model: string;
  readonly provider: string;
}

export interface OtherModelOptions {
  /** The flags of the command line. */
  readonly flags: ProgramFlags;
  readonly host: Host;
  /** The settings that run now. */
  readonly now: ResolvedConfig;
}

/** The config in which another model answers, with all else as it runs now. Throws `ConfigError`, as where its provider is not configured. */
export async function loadOtherModel(
  { model, provider }: NamedModel,
  { flags, host, now }: OtherModelOptions,
): Promise<ResolvedConfig> {
  if (provider === now.provider.id)
    return withModel(await loadProgramConfig({ ...flags, model, cd: now.cwd }, host), now);
  const { oss: _oss, localProvider: _localProvider, ...rest } = flags;
  const more = { key: "model_provider", value: JSON.stringify(provider), origin: "the thread" };
  return withProvider(await loadProgramConfig({ ...rest, model, cd: now.cwd }, host, [more]), now);
}

function withModel(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { model, modelFamily, compaction } = loaded;
  const { reasoningEffort, reasoningContext, verbosity, origins } = carryEffort(loaded, now);
  return { ...now, model, modelFamily, compaction, reasoningEffort, reasoningContext, verbosity, origins };
}

/** The config that was loaded, with the approvals and the sandbox that hold now. */
export function withProvider(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { approvalPolicy, approvalQuestions, sandboxSettings, permissionProfile } = now;
  return { ...carryEffort(loaded, now), approvalPolicy, approvalQuestions, sandboxSettings, permissionProfile };
}

const effortKey = "model_reasoning_effort";

/**
 * The config of another model (`loaded`) for a running thread: an effort that was set in that thread holds on. Any
 * effort that was set counts here as set in the thread. A model that does not accept it then gets its own effort, with
 * a warning, and the switch is not refused.
 */
function carryEffort(loaded: ResolvedConfig, running: ResolvedConfig): ResolvedConfig {
  const isOfThread = running.origins.get(effortKey)?.type === "thread" && running.reasoningEffort !== null;
  if (!isOfThread && !loaded.origins.has(effortKey)) return loaded;
  const { reasoningEffort } = isOfThread ? running : loaded;
  return { ...loaded, reasoningEffort, origins: new Map([...loaded.origins, [effortKey, { type: "thread" }]]) };
}
