import type { ConfigOverride, ResolvedConfig } from "@unroll/config";
import {
  createHost,
  loadProgramConfig,
  type ProcessIo,
  type ProgramFlags,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { Host } from "@unroll/harness";
import { toShownText } from "@unroll/text";

/** What a subcommand works with. */
export interface CommandRun {
  /** Aborts when the user or a program wants it to stop. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The same where it goes by the config. */
export interface ConfigRun extends CommandRun {
  readonly host: Host;
  readonly config: ResolvedConfig;
}

interface CommandFlags extends ProgramFlags {
  /** What more the command line says of the config. What it throws is told. */
  readonly overrides?: () => readonly ConfigOverride[];
}

/** Runs a subcommand and returns its exit code; what it throws is told in one sentence. */
export async function runConfigCommand(
  { overrides = () => [], ...flags }: CommandFlags,
  io: ProcessIo,
  run: (run: ConfigRun) => Promise<number>,
): Promise<number> {
  return runCommand(io, async (output) => {
    const host = createHost(io);
    const config = await loadProgramConfig(flags, host, overrides());
    return run({ host, config, ...output });
  });
}

/** The same for a subcommand that needs no config that can be used. */
export async function runCommand(io: ProcessIo, run: (run: CommandRun) => Promise<number>): Promise<number> {
  using interruption = watchInterruption(io);
  const complain = (text: string): void => void io.stderr.stream.write(`unroll: ${toShownText(text)}\n`);
  const print = (text: string): void => void io.stdout.stream.write(`${text}\n`);
  try {
    const code = await run({ signal: interruption.signal, print, complain });
    return interruption.exitCode ?? code;
  } catch (error) {
    const exitCode = reportFailure(error, io);
    return interruption.exitCode ?? exitCode;
  }
}
