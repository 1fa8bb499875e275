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

/** The config of this run: files, then `-c`, then flags. Where nobody is there to be asked, whatever the files say, nothing is. */
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
      ...(options.dangerouslyBypassApprovalsAndSandbox ? { approvalPolicy: "never" } : {}),
    },
  };
  const config = await loadConfig(sources);
  // Where nobody is there to be asked, only `untrusted` keeps its questions: each is answered by a no.
  const asks = options.isAttended === true || config.approvalPolicy === "untrusted";
  return asks ? config : { ...config, approvalPolicy: "never" };
}

function toOverride(text: string): ConfigOverride {
  const at = text.indexOf("=");
  if (at < 1) throw new ExecError("usage", `-c ${text}: key=value is expected, as in -c model_verbosity=low.`);
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim(), origin: "-c" };
}

const choosingKeys = ["model", "model_provider", "model_providers", "openai_base_url", "profile"];

/**
 * Whether to stand the demo model in: there is no key, and nothing says that one was meant. A model, a provider or an
 * address that is chosen anywhere says so; so does a variable for the key or the address that is set, if only to nothing
 * (a secret that a CI job was not given).
 */
export function needsDemoModel(config: ResolvedConfig, host: HostEnvironment): boolean {
  const credential = resolveCredential(config.provider, host.env);
  if (credential.type !== "missing") return false;
  const isChosen = [...config.origins].some(
    ([key, { type }]) => choosingKeys.includes(key.split(".")[0] ?? "") && (type === "file" || type === "argument"),
  );
  const variables = ["OPENAI_BASE_URL", ...config.provider.envKeys];
  return !isChosen && variables.every((name) => host.env[name] === undefined);
}
