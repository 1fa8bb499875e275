import * as z from "zod";
import {
  loginField,
  permissionFields,
  placeFields,
  scriptText,
  toMaxBytes,
  toRequest,
  toYieldMs,
  waitFields,
} from "../command/command-fields.ts";
import { concurrencyOf, judgeSecondRun, planCommandCall } from "../command/plan-command-call.ts";
import type { PatchPorts } from "../patch/plan-patch-call.ts";
import type { CommandLine } from "../port/call-gate.ts";
import type { UserShell } from "../port/command-runner.ts";
import type { CommandSession, SessionCommand } from "../session/command-session.ts";
import type { BackgroundCommands } from "../session/background-commands.ts";
import { keepSchemas } from "../schema/keep-schemas.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool, CallContext, CallEnd } from "../tool/tool.ts";

/** Context of the tool `exec_command`. */
interface ExecCommandOptions extends PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
  readonly shell: UserShell;
  /** The same as of `write_stdin`. */
  readonly backgroundCommands: BackgroundCommands;
  /** Whether a command only looks: such calls run side by side. By default none does. */
  readonly isReadOnlyCommand?: (command: CommandLine) => boolean | Promise<boolean>;
}

/** How long the call waits, and how much it may give back. */
interface Wait {
  readonly ms: number;
  readonly maxBytes: number;
}

const defaultYieldMs = 10_000;
/** Shells that take the options of the user's. By name or path: what else may lie at a path is anybody's. */
const shellProgram = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:bash|sh|zsh|dash|ksh)$/;

const toInput = keepSchemas((allowsLogin: boolean) =>
  z.strictObject({
    cmd: scriptText.describe("The script."),
    ...placeFields(),
    shell: z
      .string()
      .refine((program) => shellProgram.test(program), { error: "must be bash, sh, zsh, dash or ksh" })
      .describe("Another shell than the user's: bash, sh, zsh.")
      .optional(),
    login: loginField(allowsLogin),
    tty: z
      .boolean()
      .describe(
        "Run in a terminal, which write_stdin can type at. Without one the script reads an empty stdin. Default false.",
      )
      .default(false),
    ...waitFields(String(defaultYieldMs)),
    ...permissionFields(),
  }),
);

/**
 * Runs a script in the user's shell, which may outlive the call. Only one thread may use it,
 * because it gets the end of the command.
 */
export function createExecCommandTool(options: ExecCommandOptions): CallableTool {
  const { shell, backgroundCommands } = options;
  const toLine = (input: {
    readonly cmd: string;
    readonly login: boolean;
    readonly shell?: string | undefined;
  }): CommandLine => ({
    argv: shell.toArgv(input.cmd, { login: input.login, ...(input.shell !== undefined && { program: input.shell }) }),
    shellScript: input.cmd,
  });
  return definePlannedTool({
    name: "exec_command",
    description: `Runs a script in ${shell.name} and waits for it, up to yield_time_ms. Has it ended by then, you get its exit code and its output, stdout and stderr together. Otherwise it goes on, also after your turn, and you get its output so far and a session id for write_stdin. Long output loses its middle; the file that holds it whole is named then.`,
    input: toInput(shell.allowsLogin),
    concurrency: (input) => concurrencyOf(toLine(input), options.isReadOnlyCommand),
    plan(input, planContext) {
      const request = toRequest(options.cwd, toLine(input), input);
      return planCommandCall(
        options,
        {
          request,
          run(judged, context) {
            const { maxOutputBytes } = context;
            const wait = { ms: toYieldMs(input, defaultYieldMs), maxBytes: toMaxBytes(input, maxOutputBytes) };
            return runInSession(
              backgroundCommands,
              { command: { ...judged, hasTerminal: input.tty, maxOutputBytes }, wait },
              context,
            );
          },
        },
        planContext,
      );
    },
    endTurn: () => backgroundCommands.takeEndings(),
  });
}

/** Interrupted before its call is over, the command is stopped: nobody would know of it. */
async function runInSession(
  backgroundCommands: BackgroundCommands,
  { command, wait }: { readonly command: SessionCommand; readonly wait: Wait },
  context: CallContext,
): Promise<CallEnd> {
  const session = backgroundCommands.start(command);
  if (session === null) return tooMany;
  try {
    await session.follow(context, wait.ms);
    if (context.signal.aborted) await session.stop("user");
    const verdict = await judgeSecondRun(command, session.outcome, context);
    if (verdict?.type === "run") {
      backgroundCommands.settle(session);
      return await runInSession(backgroundCommands, { command: { ...command, verdict }, wait }, context);
    }
    session.refuse(verdict);
    return await conclude(backgroundCommands, { session, maxBytes: wait.maxBytes }, context);
  } finally {
    backgroundCommands.leave(session);
  }
}

/** A command that keeps running is shown with its output so far. Its end comes with a later call, or when a turn ends. */
async function conclude(
  backgroundCommands: BackgroundCommands,
  { session, maxBytes }: { readonly session: CommandSession; readonly maxBytes: number },
  context: CallContext,
): Promise<CallEnd> {
  const isOver = session.outcome !== null;
  const answer = await session.report(maxBytes);
  for (const event of backgroundCommands.takeEndings()) await context.emit(event);
  if (!isOver) {
    const item = session.toItem();
    if (item.status === "in_progress") await context.emit({ type: "item.updated", item });
    return { answer, item: null };
  }
  backgroundCommands.settle(session);
  return { answer, item: session.toItem() };
}

const tooMany: CallEnd = {
  answer:
    "The command was not run: too many sessions are open. write_stdin without session_id lists them; end those that you need no more with kill.",
  fault: "Too many commands that the model left running are still at work.",
};
