import type { ConfigOverride, ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import type { PullDialog } from "./pull-dialog.ts";
import { type ProgramFlags, loadProgramConfig, needsDemoModel } from "./load-program-config.ts";

/** The config to run with, and the server that has to live as long as the run. */
export interface ProgramModel extends AsyncDisposable {
  readonly config: ResolvedConfig;
  /** For stderr. */
  readonly notices: readonly string[];
}

export interface OpenModelOptions {
  readonly signal: AbortSignal;
  /** Who may have a model fetched that is not there. Absent: nobody, and the start is refused. */
  readonly dialog?: PullDialog;
}

/** Without a key or a login, and where nothing says that one was meant, the built-in demo model stands in, over real HTTP. A server on this machine is asked first how it is: throws `ProgramError` where it cannot serve. */
export async function openProgramModel(
  flags: ProgramFlags,
  host: HostEnvironment,
  options: OpenModelOptions,
): Promise<ProgramModel> {
  const config = await loadProgramConfig(flags, host);
  if (config.provider.local !== null) {
    const { prepareProvider } = await import("./prepare-provider.ts");
    await prepareProvider(config, { env: host.env, dialog: null, ...options });
  }
  if (!(await needsDemoModel(config, host))) {
    return { config, notices: [], [Symbol.asyncDispose]: async () => {} };
  }
  const { startDemoModel } = await import("@unroll/scripted-model");
  const server = await startDemoModel({});
  return {
    config: await loadProgramConfig(flags, host, toDemoOverrides(server.url)),
    notices: [
      "No API key is set, so the built-in demo model answers: a script, not a language model. For a real one log in (unroll login), or set OPENAI_API_KEY, or a provider in config.toml.",
    ],
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function toDemoOverrides(url: string): readonly ConfigOverride[] {
  const provider = { name: "built-in demo", base_url: url };
  const keys = { model: "unroll-demo", model_provider: "demo" };
  return [
    ...Object.entries(provider).map(([key, value]) => [`model_providers.demo.${key}`, value] as const),
    ...Object.entries(keys),
  ].map(([key, value]) => ({ key, value: JSON.stringify(value), origin: "the demo model" }));
}
