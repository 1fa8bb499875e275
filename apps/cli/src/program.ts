import type { ProcessIo } from "@unroll/exec";
import { Command, CommanderError } from "commander";
import { addApplyPatchCommand } from "./command/apply-patch.ts";
import { addChatCommand } from "./command/chat.ts";
import { addDemoCommand } from "./command/demo.ts";
import { addExecPolicyCommand } from "./command/execpolicy.ts";
import { addExecCommand } from "./command/exec.ts";
import { addMcpCommand } from "./command/mcp.ts";
import { addModelCommand } from "./command/model.ts";
import { addSandboxCommand } from "./command/sandbox.ts";
import { reportUsageError } from "./report-usage-error.ts";
import { version } from "./version.ts";

/** What every subcommand is given. */
export interface CommandContext {
  readonly io: ProcessIo;
  /** The subcommand's exit code; the last call counts. */
  readonly exit: (code: number) => void;
}

/** In the order of the help. */
const subcommands = [
  addChatCommand,
  addExecCommand,
  addDemoCommand,
  addMcpCommand,
  addSandboxCommand,
  addExecPolicyCommand,
  addApplyPatchCommand,
  addModelCommand,
];

/** Runs one command line to its end and returns the exit code: 0 done, 1 failed, 2 wrong usage, 128 + N by signal N. */
export async function runProgram(args: readonly string[], io: ProcessIo): Promise<number> {
  let exitCode = 0;
  const program = new Command("unroll")
    .description("A coding agent for the terminal, for CI and for programs.")
    .version(version, "-V, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.stream.write(text),
      writeErr: (text) => io.stderr.stream.write(text),
    });
  const context: CommandContext = { io, exit: (code) => void (exitCode = code) };
  for (const add of subcommands) add(program, context);
  if (args.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    reportUsageError(args, error.message, io);
    return 2;
  }
  return exitCode;
}
