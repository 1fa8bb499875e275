import { loadProgramConfig, trustCertificates } from "@unroll/program";
import type { CommandRun } from "../run-command.ts";

/** For a server whose certificate is of an authority that only the config or the environment names. Without a valid config, none of these counts. */
export async function trustAuthorities({ host, complain }: CommandRun): Promise<void> {
  const config = await loadProgramConfig({}, host).catch(() => null);
  const warnings = config === null ? await trustCertificates(null, host.env) : config.warnings;
  for (const { message } of warnings) complain(message);
}
