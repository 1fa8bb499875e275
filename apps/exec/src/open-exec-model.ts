import type { ConfigOverride, ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import type { ExecOptions } from "./exec-options.ts";
import { loadExecConfig, needsDemoModel } from "./load-exec-config.ts";

/** The config to run with, and the server that has to live as long as the run. */
export interface ExecModel extends AsyncDisposable {
  readonly config: ResolvedConfig;
  readonly userAgent: string;
  /** For stderr. */
  readonly notices: readonly string[];
}

/** Without a key, and where nothing says that one was meant, the built-in demo model stands in, over real HTTP. */
export async function openExecModel(options: ExecOptions, host: HostEnvironment): Promise<ExecModel> {
  const config = await loadExecConfig(options, host);
  const userAgent = `unroll_exec (${host.platform})`;
  if (!needsDemoModel(config, host)) {
    return { config, userAgent, notices: [], [Symbol.asyncDispose]: async () => {} };
  }
  const { startDemoModel } = await import("@unroll/scripted-model");
  const server = await startDemoModel({});
  return {
    config: await loadExecConfig(options, host, toDemoOverrides(server.url)),
    userAgent,
    notices: [
      "No API key is set, so the built-in demo model answers: a script, not a language model. Set OPENAI_API_KEY, or a provider in config.toml, for a real one.",
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
