import { exitCodes, findHomeFault, foldOutput, type ProcessIo, reportFailure } from "@unroll/program";
import { addWorktreesCommand } from "./command/worktrees.ts";
import { Command, CommanderError } from "commander";
import type { CommandContext } from "./command-context.ts";
import { addApplyPatchCommand } from "./command/apply-patch.ts";
import {
  addAcpCommand,
  addAppServerCommand,
  addExecCommand,
  addMcpServerCommand,
  addReviewCommand,
  addWorkerCommand,
} from "./command/apps.ts";
import { addQueueCommand } from "./command/queue.ts";
import { addCompletionCommand } from "./command/completion.ts";
import { addConfigCommand } from "./command/config.ts";
import { addDemoCommand } from "./command/demo.ts";
import { addDoctorCommand } from "./command/doctor.ts";
import { addEvalCommand } from "./command/eval.ts";
import { addExecPolicyCommand } from "./command/execpolicy.ts";
import { addLoginCommand, addLogoutCommand } from "./command/login.ts";
import { addMcpCommand } from "./command/mcp.ts";
import { addModelCommand } from "./command/model.ts";
import { addModelsCommand } from "./command/models.ts";
import { addSandboxCommand } from "./command/sandbox.ts";
import { addSkillsCommand } from "./command/skills.ts";
import { addAgentsCommand } from "./command/agents.ts";
import { addChatCommand, addForkCommand, addResumeCommand, addTerminalProgram } from "./command/terminal.ts";
import { addCacheCommand, addThreadsCommand } from "./command/threads.ts";
import { explainUsageError } from "./explain-usage-error.ts";
import { describeForeign } from "./foreign-commands.ts";
import { findFirstWord, moveLeadingOptions } from "./move-leading-options.ts";
import { refuseSlip } from "./refuse-slip.ts";
import { runCommand } from "./run-command.ts";
import { describeVersion, type ProgramName } from "./version.ts";
import { wrapHelp } from "./wrap-help.ts";

interface ProgramContext extends Pick<CommandContext, "io" | "exit"> {
  /** Absent: `unroll`. */
  readonly name?: ProgramName;
}
type AddCommand = (program: Command, context: CommandContext) => void;

/** By name, in the order of the help. */
export const subcommands: Readonly<Record<string, AddCommand>> = {
  resume: addResumeCommand,
  fork: addForkCommand,
  exec: addExecCommand,
  queue: addQueueCommand,
  worker: addWorkerCommand,
  "app-server": addAppServerCommand,
  "mcp-server": addMcpServerCommand,
  acp: addAcpCommand,
  threads: addThreadsCommand,
  cache: addCacheCommand,
  review: addReviewCommand,
  eval: addEvalCommand,
  demo: addDemoCommand,
  models: addModelsCommand,
  config: addConfigCommand,
  doctor: addDoctorCommand,
  login: addLoginCommand,
  logout: addLogoutCommand,
  mcp: addMcpCommand,
  skills: addSkillsCommand,
  agents: addAgentsCommand,
  worktrees: addWorktreesCommand,
  sandbox: addSandboxCommand,
  execpolicy: addExecPolicyCommand,
  "apply-patch": addApplyPatchCommand,
  model: addModelCommand,
  completion: (program, context) => addCompletionCommand(program, context, () => createProgram(context)),
  chat: addChatCommand,
};

/** Short names that clients of the Codex CLI use. */
export const aliases: Readonly<Record<string, string>> = { e: "exec" };

/** Runs one command line to its end and returns the exit code: see `exitCodes`. */
export async function runProgram(
  args: readonly string[],
  io: ProcessIo,
  name: ProgramName = "unroll",
): Promise<number> {
  const fault = findHomeFault(io);
  if (fault !== null) {
    io.stderr.stream.write(`unroll: ${fault}\n`);
    await tellProgram(args, fault, io);
    return exitCodes.usage;
  }
  let exitCode: number = exitCodes.completed;
  const asked = toHelpFlag(args);
  const program = createProgram({ io, name, exit: (code) => void (exitCode = code) }, asked);
  const moved = moveLeadingOptions(program, asked);
  try {
    const foreign = describeForeign(findFirstWord(program, asked));
    if (foreign !== null) program.error(`error: ${foreign}`);
    refuseSlip(program, args[0] ?? "", Object.keys(subcommands));
    await program.parseAsync([...moved], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, io);
    if (error.exitCode === 0) return exitCodes.completed;
    await tellProgram(moved, explainUsageError(error.message), io);
    return exitCodes.usage;
  }
  return exitCode;
}

/** `help exec` is `exec --help`. */
function toHelpFlag(args: readonly string[]): readonly string[] {
  return args[0] === "help" ? [...args.slice(1), "--help"] : args;
}

/**
 * The program with the subcommands that this command line may be about, or with all of them; nothing is run or loaded yet. All of
 * them take a fifth of a short run.
 */
export function createProgram({ io, exit, name = "unroll" }: ProgramContext, args?: readonly string[]): Command {
  const { stdout, stderr } = io;
  const context: CommandContext = { io, exit, launch: async (work) => exit(await runCommand(io, work)) };
  const program = new Command("unroll")
    .description("A coding agent for the terminal, for CI and for programs.")
    .version(describeVersion(name), "-V, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.stream.write(fitOutput(text, stdout)),
      getOutHelpWidth: () => Number.MAX_SAFE_INTEGER, // `fitOutput` wraps it
      writeErr: (text) => stderr.stream.write(text),
      outputError: (text, write) => write(foldOutput(`unroll: ${explainUsageError(text)}`, stderr)),
    });
  const asked = findSubcommand(args?.[0]);
  if (asked === null) addTerminalProgram(program, context, Object.keys(subcommands));
  for (const add of asked ? [asked] : listSubcommands(args)) add(program, context);
  return program;
}

function fitOutput(text: string, output: ProcessIo["stdout"]): string {
  const columns = output.isTerminal ? (output.size()?.columns ?? null) : null;
  return columns === null ? text : wrapHelp(text, columns);
}

function findSubcommand(word: string | undefined): AddCommand | null {
  const name = aliases[word ?? ""] ?? word ?? "";
  return Object.hasOwn(subcommands, name) ? (subcommands[name] ?? null) : null;
}

/** None where nothing of the command line is one of them, or asks for their list. */
function listSubcommands(args: readonly string[] | undefined): readonly AddCommand[] {
  const isAbout = args?.some((arg) => findSubcommand(arg) !== null || arg === "--help" || arg === "-h") ?? true;
  return isAbout ? Object.values(subcommands) : [];
}

/** Loaded when it is needed: the events' schemas are much. */
async function tellProgram(args: readonly string[], message: string, io: ProcessIo): Promise<void> {
  const { reportUsageError } = await import("./report-usage-error.ts");
  reportUsageError(args, message, io);
}
