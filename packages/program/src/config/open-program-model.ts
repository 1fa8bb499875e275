import type { ConfigOverride, ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { ProgramError } from "../failure/program-error.ts";
import { toUserAgent } from "../host/user-agent.ts";
import type { StoreIo } from "../thread/open-program-store.ts";
import type { ModelDialog } from "./model-dialog.ts";
import { type ProgramFlags, loadProgramConfig, needsDemoModel } from "./load-program-config.ts";

/** The config to run with, and the server that has to live as long as the run. */
export interface ProgramModel extends AsyncDisposable {
  readonly config: ResolvedConfig;
  /** For stderr. */
  readonly notices: readonly string[];
}

export interface OpenModelOptions {
  readonly signal: AbortSignal;
  /**
   * Chooses a model if none is named, and may approve downloading a missing one. Absent: nobody, and the start is
   * refused.
   */
  readonly dialog?: ModelDialog;
  /** Lets `notices` contain, once, how this version differs from earlier ones. Absent: nobody would read it. */
  readonly io?: StoreIo;
}

/**
 * Without a key or a login, and where nothing says that one was meant, the built-in demo model stands in, over real HTTP. A server on this
 * machine is asked first how it is, and a provider that is not OpenAI for its only model where none is named: throws `ProgramError` where it
 * cannot serve, or nobody chooses.
 */
export async function openProgramModel(
  flags: ProgramFlags,
  host: Host,
  options: OpenModelOptions,
): Promise<ProgramModel> {
  const config = await loadProgramConfig(flags, host);
  if (config.provider.local !== null) {
    const { prepareProvider } = await import("./prepare-provider.ts");
    const { signal, dialog = null } = options;
    await prepareProvider(config, { env: host.env, dialog, signal });
  }
  if (!(await needsDemoModel(config, host))) {
    const model = await nameModel(config, host, options);
    const more = { key: "model", value: JSON.stringify(model), origin: `the models of ${config.provider.name}` };
    const named = model === null ? config : await loadProgramConfig(flags, host, [more]);
    return { config: named, notices: await listNotices(named, options), [Symbol.asyncDispose]: async () => {} };
  }
  const { startDemoModel } = await import("@unroll/scripted-model");
  const server = await startDemoModel({});
  return {
    config: await loadProgramConfig(flags, host, toDemoOverrides(server.url)),
    notices: [
      "No API key is set, so the built-in demo model answers. It is a script, not a language model. For a real one, run unroll login, set OPENAI_API_KEY, or set a provider in config.toml.",
    ],
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The model where nobody named one; null: somebody did. */
async function nameModel(
  config: ResolvedConfig,
  host: Host,
  { signal, dialog }: OpenModelOptions,
): Promise<string | null> {
  const { isModelNamed } = await import("@unroll/config");
  if (isModelNamed(config)) return null;
  const { findModelChoice } = await import("@unroll/harness");
  const choice = await findModelChoice(config, { host, userAgent: toUserAgent("unroll", host), signal });
  if (choice.type === "named") return null;
  if (choice.type === "only") return choice.model;
  const { models, message } = choice;
  const question = `Which model of ${config.provider.name} do you want to use?`;
  const chosen = models.length === 0 ? null : ((await dialog?.choose(question, models)) ?? null);
  if (chosen === null) throw new ProgramError("input", message);
  return chosen;
}

async function listNotices(config: ResolvedConfig, { io }: OpenModelOptions): Promise<readonly string[]> {
  if (io === undefined) return [];
  const { takeUpgradeNotice } = await import("./upgrade-notice.ts");
  const notice = await takeUpgradeNotice(config, io);
  return notice === null ? [] : [notice];
}

function toDemoOverrides(url: string): readonly ConfigOverride[] {
  const provider = { name: "built-in demo", base_url: url, preset: "openai" };
  const keys = { model: "unroll-demo", model_provider: "demo" };
  return [
    ...Object.entries(provider).map(([key, value]) => [`model_providers.demo.${key}`, value] as const),
    ...Object.entries(keys),
  ].map(([key, value]) => ({ key, value: JSON.stringify(value), origin: "the demo model" }));
}
