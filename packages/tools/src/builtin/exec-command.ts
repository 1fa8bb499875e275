import * as z from "zod";
import { scriptText } from "../command/script-text.ts";
import { admitCommand } from "../command/admit-command.ts";
import {
  type CommandToolOptions,
  concurrencyOf,
  permissionFields,
  placeFields,
  runAsPatch,
  toRequest,
} from "../command/command-tool.ts";
import type { CommandLine, CommandVerdict } from "../port/command-gate.ts";
import type { UserShell } from "../port/user-shell.ts";
import type { CommandSession, SessionCommand } from "../session/command-session.ts";
import type { CommandSessions } from "../session/command-sessions.ts";
import { concludeCall } from "../session/conclude-call.ts";
import { toMaxBytes, toYieldMs, waitFields } from "../session/wait-fields.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool, ToolContext, ToolResult } from "../tool/tool.ts";

export interface ExecCommandOptions extends CommandToolOptions {
  readonly shell: UserShell;
  /** The same as of `write_stdin`. */
  readonly sessions: CommandSessions;
}

/** How long the call waits, and how much it may give back. */
interface Wait {
  readonly ms: number;
  readonly maxBytes: number;
}

const DEFAULT_YIELD_MS = 10_000;
/** Shells that take the options of the user's. By name or path: what else may lie at a path is anybody's. */
const SHELL = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:bash|sh|zsh|dash|ksh)$/;

/** A script in the user's shell that may go on after the call. Only one thread may use it: its end is told to that. */
export function createExecCommandTool(options: ExecCommandOptions): CallableTool {
  const { shell, sessions } = options;
  const toLine = (input: {
    readonly cmd: string;
    readonly login: boolean;
    readonly shell?: string | undefined;
  }): CommandLine => ({
    argv: shell.toArgv(input.cmd, { login: input.login, ...(input.shell !== undefined && { program: input.shell }) }),
    shellScript: input.cmd,
  });
  return defineTool({
    name: "exec_command",
    description: `Runs a script in ${shell.name} and waits for it, up to yield_time_ms. Has it ended by then, you get its exit code and its output, stdout and stderr together. Otherwise it goes on, also after your turn, and you get its output so far and a session id for write_stdin. Long output loses its middle; the file that holds it whole is named then.`,
    input: z.strictObject({
      cmd: scriptText.describe("The script."),
      ...placeFields(),
      shell: z
        .string()
        .refine((program) => SHELL.test(program), { error: "must be bash, sh, zsh, dash or ksh" })
        .describe("Another shell than the user's: bash, sh, zsh.")
        .optional(),
      login: z.boolean().describe("Whether the shell first reads the user's profile. Default true.").default(true),
      tty: z
        .boolean()
        .describe(
          "Run in a terminal, which write_stdin can type at. Without one the script reads an empty stdin. Default false.",
        )
        .default(false),
      ...waitFields(String(DEFAULT_YIELD_MS)),
      ...permissionFields(),
    }),
    concurrency: (input) => concurrencyOf(options, toLine(input)),
    async run(input, context) {
      const request = toRequest(options, toLine(input), input);
      const patched = runAsPatch(options, request, context);
      if (patched) return patched;
      const admission = await admitCommand(options.commandGate, request, context);
      if (admission.type === "declined") return { output: admission.output };
      const { item, confinement } = admission;
      const { maxOutputBytes } = context;
      const wait = { ms: toYieldMs(input, DEFAULT_YIELD_MS), maxBytes: toMaxBytes(input, maxOutputBytes) };
      return runCommand(
        options,
        { command: { request, confinement, hasTerminal: input.tty, item, maxOutputBytes }, wait },
        context,
      );
    },
    endTurn: () => sessions.takeEndings(),
  });
}

/** Interrupted before its call is over, the command is stopped: nobody would know of it. */
async function runCommand(
  options: ExecCommandOptions,
  { command, wait }: { readonly command: SessionCommand; readonly wait: Wait },
  context: ToolContext,
): Promise<ToolResult> {
  const { sessions } = options;
  const session = sessions.start(command);
  if (session === null) return refuse(command, context);
  try {
    await session.follow(context, wait.ms);
    if (context.signal.aborted) await session.stop("user");
    const verdict = await reconsider(options, session, context);
    if (verdict?.type !== "run") return await concludeCall(sessions, { session, maxBytes: wait.maxBytes }, context);
    sessions.settle(session);
    return await runCommand(options, { command: { ...command, confinement: verdict.confinement }, wait }, context);
  } finally {
    sessions.leave(session);
  }
}

/** Whether a command that the sandbox stopped runs once more, outside. */
async function reconsider(
  { commandGate }: ExecCommandOptions,
  { command, outcome }: CommandSession,
  context: ToolContext,
): Promise<CommandVerdict | null> {
  if (outcome === null || !("denial" in outcome) || command.confinement === "none") return null;
  return (await commandGate.reconsider?.(command.request, outcome.denial, context.signal)) ?? null;
}

async function refuse({ item }: SessionCommand, context: ToolContext): Promise<ToolResult> {
  const output =
    "The command was not run: too many sessions are open. write_stdin without session_id lists them; end those that you need no more with kill.";
  await context.emit({ type: "item.completed", item: { ...item, aggregated_output: output, status: "failed" } });
  return { output };
}
