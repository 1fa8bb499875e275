import { drain } from "@unroll/flow";
import type { CommandOutcome, SandboxSettings } from "@unroll/protocol";
import type { ThreadHost } from "./open-thread-host.ts";

const maxOutputBytes = 1024 * 1024;

/** One command, of a program and not of a model. */
export interface ConfinedRunOptions {
  readonly argv: readonly string[];
  /** Null: the folder of the process. */
  readonly cwd: string | null;
  readonly timeoutMs: number;
  /** How far it reaches, of what the config says. */
  readonly confine: (settings: SandboxSettings) => SandboxSettings;
}

/** Runs it inside a sandbox that it has to itself; of its output at most 1 MiB is kept. */
export async function runConfined(
  { host, loadConfig }: Pick<ThreadHost, "host" | "loadConfig">,
  { argv, cwd, timeoutMs, confine }: ConfinedRunOptions,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { openSandbox } = await import("@unroll/harness");
  const config = await loadConfig(cwd);
  await using sandbox = await openSandbox({ ...config, sandboxSettings: confine(config.sandboxSettings) }, host);
  const runner = await sandbox.openRunner();
  const spec = { argv, cwd: config.cwd, timeoutMs, maxOutputBytes, confinement: "policy" } as const;
  return await drain(runner.run(spec, signal)); // before the sandbox is closed
}
