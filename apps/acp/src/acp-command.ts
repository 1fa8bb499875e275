import { addSettingFlags, addStoreFlag, collectValues, type ProcessIo } from "@unroll/program";
import type { Command } from "commander";
import type { AcpOptions } from "./serve.ts";

type AcpFlags = Omit<AcpOptions, "version" | "openPage">;

export interface AcpRuns {
  serve(flags: AcpFlags): Promise<void>;
  /** For an editor that has its person log in in a terminal. */
  logIn(): Promise<void>;
}

/** Gives a command the arguments and flags of `unroll acp`. */
export function defineAcpCommand(command: Command, runs: AcpRuns): Command {
  addStoreFlag(addSettingFlags(command))
    .description("serve threads to an editor that speaks the Agent Client Protocol, on stdio (docs/acp.md)")
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .allowExcessArguments(false)
    .action((flags: AcpFlags) => runs.serve(flags));
  command
    .command("login")
    .description("log in, for an editor that opens a terminal for it: same as unroll login")
    .allowExcessArguments(false)
    .action(() => runs.logIn());
  return command;
}

/**
 * Serves one editor until it closes stdin, or a signal comes. Returns the exit code: 0 stdin ended, 128 + N stopped by
 * signal N. All of it is loaded only now.
 */
export async function runAcp(options: AcpOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
