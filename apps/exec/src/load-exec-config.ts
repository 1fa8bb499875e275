import {
  loadConfig,
  type ConfigOverride,
  type ConfigSources,
  resolveCodexHome,
  resolveCredential,
  type ResolvedConfig,
} from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import { ExecError } from "./exec-error.ts";
import type { ExecOptions } from "./exec-options.ts";

/** The config of this run: files, then `-c`, then flags. Nobody is there to be asked, whatever the files say. */
export async function loadExecConfig(
  options: ExecOptions,
  host: HostEnvironment,
  more: readonly ConfigOverride[] = [],
): Promise<ResolvedConfig> {
  const sources: ConfigSources = {
    codexHome: resolveCodexHome(host.env, host.cwd),
    cwd: host.cwd,
    env: host.env,
    overrides: [...(options.config ?? []).map(toOverride), ...more],
    profile: options.profile,
    flags: {
      model: options.model,
      cwd: options.cd,
      addDirs: options.addDir,
      sandboxMode: options.dangerouslyBypassApprovalsAndSandbox
        ? "danger-full-access"
        : (options.sandbox ?? (options.fullAuto ? "workspace-write" : undefined)),
      approvalPolicy: "never",
    },
  };
  return loadConfig(sources);
}

function toOverride(text: string): ConfigOverride {
  const at = text.indexOf("=");
  if (at < 1) throw new ExecError("usage", `-c ${text}: key=value is expected, as in -c model_verbosity=low.`);
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim(), origin: "-c" };
}

/**
 * Whether to stand the demo model in: there is no key, and nothing says that one was meant (no model, provider or
 * address chosen anywhere).
 */
export function needsDemoModel(config: ResolvedConfig, host: HostEnvironment): boolean {
  const chosen = ["model", "model_provider", "openai_base_url", "profile"].some((key) => config.origins.has(key));
  return !chosen && !host.env["OPENAI_BASE_URL"] && resolveCredential(config.provider, host.env).type === "missing";
}
