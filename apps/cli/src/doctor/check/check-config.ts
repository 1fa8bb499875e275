import { ConfigError, describeShutdown, type ResolvedConfig } from "@unroll/config";
import { listConfigFiles } from "@unroll/config/upkeep";
import { loadProgramConfig, type ProgramFlags, toConfigSources } from "@unroll/program";
import { type Finding, toFinding } from "../finding.ts";
import type { CommandRun } from "../../run-command.ts";

export interface CheckedConfig {
  /** Null: it cannot be used, as `findings` say. */
  readonly config: ResolvedConfig | null;
  readonly findings: readonly Finding[];
}

/** Throws `ProgramError` for a command line that cannot be read. */
export async function checkConfig(flags: ProgramFlags, { host }: Pick<CommandRun, "host">): Promise<CheckedConfig> {
  const sources = await toConfigSources(flags, host);
  try {
    const files = await listConfigFiles(sources);
    const read = files
      .filter(({ state }) => state === "read")
      .map(({ path }) => toFinding("config", "ok", `Reads ${path}.`));
    const none = toFinding(
      "config",
      "ok",
      `No config file, so the defaults apply. Yours would be ${files.find(({ owner }) => owner === "user")?.path ?? "config.toml"}.`,
    );
    const config = await loadProgramConfig(flags, host);
    const shutdown = describeShutdown(config, host.now());
    const told = config.warnings.map(({ code, message }) =>
      toFinding("config", code === "effort_refused" ? "failed" : "warning", message),
    );
    const ended = shutdown === null ? [] : [toFinding("config", "warning", shutdown)];
    return { config, findings: [...(read.length === 0 ? [none] : read), ...told, ...ended] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = error.file === undefined ? null : "To fix your config.toml, run unroll config edit.";
    return { config: null, findings: [{ ...toFinding("config", "failed", error.message), remedy }] };
  }
}
