import * as z from "zod";
import type { CommandGate, CommandRequest, CommandVerdict } from "../port/command-gate.ts";
import type { UserShell } from "../port/user-shell.ts";
import type { CommandSession } from "../session/command-session.ts";
import type { CommandSessions, SessionInfo } from "../session/command-sessions.ts";
import { concludeCall } from "../session/conclude-call.ts";
import { toMaxBytes, toYieldMs, waitFields } from "../session/wait-fields.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool, ToolContext } from "../tool/tool.ts";

export interface WriteStdinOptions {
  /** The same as of `exec_command`. */
  readonly sessions: CommandSessions;
  /** Judges what is typed as the script that it may be. */
  readonly commandGate: CommandGate;
  readonly shell: UserShell;
}

const TYPING_YIELD_MS = 1_000;
const POLLING_YIELD_MS = 10_000;
const INTERRUPT = "\u0003";

/** Reads on, types at, and ends what `exec_command` left running. */
export function createWriteStdinTool(options: WriteStdinOptions): CallableTool {
  const { sessions } = options;
  return defineTool({
    name: "write_stdin",
    description:
      "Goes on with a session of exec_command: types chars at it, waits, and returns what it wrote since the last call, and its exit code once it has ended.",
    input: z.strictObject({
      session_id: z.number().describe("As exec_command returned it. Left out: lists the sessions.").optional(),
      chars: z
        .string()
        .describe("Typed as they are: \\n is Enter, \\u0003 is ^C, \\u0004 is ^D. Default empty: only waits.")
        .default(""),
      kill: z.boolean().describe("Ends the command and all it started. Default false.").default(false),
      ...waitFields(`${TYPING_YIELD_MS} after chars, else ${POLLING_YIELD_MS}`),
    }),
    concurrency: ({ chars, kill }) => (chars === "" && !kill ? "shared" : "exclusive"),
    async run(input, context) {
      if (input.session_id === undefined) return { output: describeSessions(sessions.list()) };
      const session = sessions.find(input.session_id);
      if (session === null) return { output: describeUnknown(input.session_id, sessions.list()) };
      const refusal = await act(options, { session, ...input }, context);
      if (refusal !== null) return { output: refusal };
      const yieldMs = toYieldMs(input, input.chars === "" ? POLLING_YIELD_MS : TYPING_YIELD_MS);
      if (session.outcome === null) await session.follow(context, yieldMs);
      return concludeCall(sessions, { session, maxBytes: toMaxBytes(input, context.maxOutputBytes) }, context);
    },
  });
}

/** Types or ends. Null: it is done, or there is nothing to do; else why not, for the model. */
async function act(
  options: WriteStdinOptions,
  { session, chars, kill }: { readonly session: CommandSession; readonly chars: string; readonly kill: boolean },
  context: ToolContext,
): Promise<string | null> {
  if (session.outcome !== null || (chars === "" && !kill)) return null;
  const { hasTerminal } = session.command;
  // Without a terminal there is nothing that would turn ^C into a signal.
  if (kill || (chars === INTERRUPT && !hasTerminal)) {
    await session.stop("model");
    return null;
  }
  if (!hasTerminal)
    return `Nothing was typed: session ${session.id} has no terminal, and its stdin is empty. To type, start the command again with tty.`;
  const verdict = await judgeTyping(options, { session, chars }, context.signal);
  if (verdict.type === "declined") return `Nothing was typed: ${verdict.message}`;
  await session.type(chars);
  return null;
}

/** A shell in a session would run what is typed: no rule may be got round that way. Keys that are no text need no leave. */
async function judgeTyping(
  { commandGate, shell }: WriteStdinOptions,
  { session, chars }: { readonly session: CommandSession; readonly chars: string },
  signal: AbortSignal,
): Promise<CommandVerdict> {
  const { request, confinement, item } = session.command;
  const [program = shell.name] = request.argv;
  if (/^[\p{Cc}\s]*$/u.test(chars)) return { type: "run", confinement };
  const typing: CommandRequest = {
    argv: shell.toArgv(chars, { login: false, program }),
    shellScript: chars,
    cwd: request.cwd,
    sandboxPermissions: "use_default",
    justification: `To be typed at session ${session.id}: ${item.command}`,
  };
  return commandGate.judge(typing, signal);
}

function describeUnknown(id: number, sessions: readonly SessionInfo[]): string {
  return `There is no session ${id}: it has ended and you were told, or it never was. ${describeSessions(sessions)}`;
}

function describeSessions(sessions: readonly SessionInfo[]): string {
  if (sessions.length === 0) return "No session is open.";
  const lines = sessions.map(
    ({ id, command, isRunning }) => `${id} (${isRunning ? "running" : "ended; read its output"}): ${command}`,
  );
  return ["Open sessions:", ...lines].join("\n");
}
