import { quoteArgv } from "@unroll/text";
import * as z from "zod";
import type { GatedCall, RunVerdict } from "../port/call-gate.ts";
import type { UserShell } from "../port/command-runner.ts";
import type { CommandSession } from "../session/command-session.ts";
import type { BackgroundCommandInfo, BackgroundCommands } from "../session/background-commands.ts";
import { listSentTexts, sendsNothing } from "../session/keyboard.ts";
import { toMaxBytes, toYieldMs, waitFields, type WaitInput } from "../command/command-fields.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import { planToolCall } from "../tool/plan-tool-call.ts";
import type { CallableTool, CallContext, CallEnd, ToolContext } from "../tool/tool.ts";

/** Context of the tool `write_stdin`. */
interface WriteStdinOptions {
  /** The same as of `exec_command`. */
  readonly backgroundCommands: BackgroundCommands;
  readonly shell: UserShell;
}

interface WriteInput extends WaitInput {
  readonly chars: string;
  readonly kill: boolean;
}

/** A session, and what a call does to it. */
interface SessionAct {
  readonly session: CommandSession;
  readonly input: WriteInput;
}

const typingYieldMs = 1_000;
const pollingYieldMs = 10_000;
const interruptKey = "\u0003";
const name = "write_stdin";

const input = z.strictObject({
  session_id: z.number().describe("As exec_command returned it. Left out: lists the sessions.").optional(),
  chars: z
    .string()
    .describe("Typed as they are: \\n is Enter, \\u0003 is ^C, \\u0004 is ^D. Default empty: only waits.")
    .default(""),
  kill: z.boolean().describe("Ends the command and all it started. Default false.").default(false),
  ...waitFields(`${typingYieldMs} after chars, else ${pollingYieldMs}`),
});

/**
 * Reads from, types at, and ends background commands of `exec_command`. Typed text is judged as the
 * script that it may be.
 */
export function createWriteStdinTool(options: WriteStdinOptions): CallableTool {
  const { backgroundCommands, shell } = options;
  return definePlannedTool({
    name,
    description:
      "Goes on with a session of exec_command: types chars at it, waits, and returns what it wrote since the last call, and its exit code once it has ended.",
    input,
    concurrency: ({ chars, kill }) => (chars === "" && !kill ? "shared" : "exclusive"),
    async plan(input) {
      if (input.session_id === undefined) {
        return planToolCall({
          tool: name,
          arguments: input,
          run: async () => describeSessions(backgroundCommands.list()),
        });
      }
      const session = backgroundCommands.find(input.session_id);
      if (session === null) {
        const unknown = `There is no session ${input.session_id}: it has ended and you were told, or it never was.`;
        return { type: "call.rejected", message: `${unknown} ${describeSessions(backgroundCommands.list())}` };
      }
      const fault = findFault({ session, input });
      if (fault !== null) return { type: "call.rejected", message: fault };
      return {
        type: "call.planned",
        gated: toGated({ session, input }, shell),
        refusal: session.reachesMore() ? `Nothing was typed at ${nameSession(session)}` : "Nothing was typed",
        run: (verdict, context) => act(backgroundCommands, { session, input, verdict }, context),
      };
    },
  });
}

/** Without a terminal nothing can be typed, and nothing would turn ^C into a signal either: there it ends the command. */
function findFault({ session, input }: SessionAct): string | null {
  return isTyping({ session, input }) && !session.command.hasTerminal
    ? `Nothing was typed: session ${session.id} has no terminal, and its stdin is empty. To type, start the command again with tty.`
    : null;
}

function isTyping({ session, input }: SessionAct): boolean {
  return session.outcome === null && input.chars !== "" && !isEnding({ session, input });
}

function isEnding({ session, input }: SessionAct): boolean {
  return input.kill || (input.chars === interruptKey && !session.command.hasTerminal);
}

/**
 * A shell would run the typed text in its own folder and sandbox, so no rule may be bypassed that
 * way. Signals and empty lines need no approval.
 */
function toGated({ session, input }: SessionAct, shell: UserShell): GatedCall {
  const { request, verdict, item } = session.command;
  if (!isTyping({ session, input }) || sendsNothing(session.keyboard.unsent, input.chars)) {
    return { type: "tool", tool: name, arguments: input, approval: "run" };
  }
  const isOutside = verdict.confinement === "none" || session.reachesMore();
  const [program = shell.name] = request.argv;
  const toArgv = (script: string): readonly string[] => shell.toArgv(script, { login: false, program });
  const texts = listSentTexts(session.keyboard.unsent, input.chars);
  const [line] = texts;
  return {
    type: "command",
    typedAt: session.id,
    request: {
      argv: toArgv(texts.length === 1 ? line : texts.map((text) => quoteArgv(toArgv(`\n${text}`))).join("\n")),
      shellScript: line,
      cwd: request.cwd,
      sandboxPermissions: isOutside ? "require_escalated" : "use_default",
      justification: `To be typed at ${nameSession(session)}: ${item.command}`,
    },
    denial: null,
  };
}

function nameSession({ id, reachesMore }: CommandSession): string {
  return reachesMore() ? `session ${id}, which runs outside the walls that hold now` : `session ${id}`;
}

async function act(
  backgroundCommands: BackgroundCommands,
  { session, input, verdict }: SessionAct & { readonly verdict: RunVerdict },
  context: CallContext,
): Promise<CallEnd> {
  if (session.outcome === null && isEnding({ session, input })) await session.stop("model");
  else if (isTyping({ session, input })) {
    if (Object.keys(verdict.environment ?? {}).length > 0) {
      const fault = "It may only run with variables set that a running session cannot be given.";
      return { answer: `Nothing was typed: ${fault} Run it by exec_command.`, fault };
    }
    await session.keyboard.type(input.chars);
  }
  const yieldMs = toYieldMs(input, input.chars === "" ? pollingYieldMs : typingYieldMs);
  if (session.outcome === null) await session.follow(context, yieldMs);
  const maxBytes = toMaxBytes(input, context.maxOutputBytes);
  const answer = await concludeCall(backgroundCommands, { session, maxBytes }, context);
  return { answer, onlyWaited: input.chars === "" && !input.kill && session.outcome === null };
}

function describeSessions(backgroundCommands: readonly BackgroundCommandInfo[]): string {
  if (backgroundCommands.length === 0) return "No session is open.";
  const lines = backgroundCommands.map(
    ({ id, command, isRunning }) => `${id} (${isRunning ? "running" : "ended; read its output"}): ${command}`,
  );
  return ["Open sessions:", ...lines].join("\n");
}

/** The end of a call about an earlier command: the thread gets its end, the model its state. */
async function concludeCall(
  backgroundCommands: BackgroundCommands,
  { session, maxBytes }: { readonly session: CommandSession; readonly maxBytes: number },
  context: ToolContext,
): Promise<string> {
  const isOver = session.outcome !== null;
  const output = await session.report(maxBytes);
  for (const event of [...(isOver ? backgroundCommands.settle(session) : []), ...backgroundCommands.takeEndings()]) {
    await context.emit(event);
  }
  return output;
}
