import type { SessionInfo } from "@unroll/tools";
import { showHidden } from "@unroll/text";
import type { Thread } from "@unroll/harness";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const psCommand: TerminalCommand = {
  name: "ps",
  description: "the commands that run in the background: shown, read, ended, kept",
  argument: "[ID|kill ID|keep ID]",
  timing: "always",
  async run(context, argument) {
    const { conversation, tell } = context;
    const found = [conversation.thread, ...conversation.leftThreads()].flatMap(listSessions);
    const [, verb = "tail", word = ""] = /^(?:(kill|keep|tail)\s+)?(\d+)$/.exec(argument) ?? [];
    if (argument === "")
      return tell(found.length === 0 ? "Nothing runs in the background." : found.map(toLine).join("\n"));
    const session = found.find(({ info }) => String(info.id) === word);
    if (session === undefined) return tell(`No command has this id: ${showHidden(argument)}. /ps lists them.`);
    await act(context, session, verb);
  },
};

interface FoundSession {
  readonly thread: Thread;
  readonly info: SessionInfo;
}

function listSessions(thread: Thread): readonly FoundSession[] {
  return thread.sessions.list().map((info) => ({ thread, info }));
}

function toLine({ info: { id, command, isRunning, exitCode } }: FoundSession): string {
  const state = isRunning ? "runs" : exitCode === null ? "stopped" : `exit ${exitCode}`;
  return `${id}  ${state.padEnd(7)}  ${showHidden(command)}`;
}

async function act({ conversation, page, tell }: CommandContext, found: FoundSession, verb: string): Promise<void> {
  const { thread, info } = found;
  if (verb === "kill")
    return tell((await thread.sessions.kill(info.id)) ? `Ended: ${showHidden(info.command)}` : "It has ended already.");
  if (verb === "keep") {
    const isKept = thread === conversation.thread && conversation.keepSession(info.id);
    return tell(
      isKept
        ? "It goes on when you leave this conversation for another one; it ends with the program."
        : "It is kept, or has ended already.",
    );
  }
  const text = thread.sessions.tail(info.id) ?? "";
  page({
    title: `${info.id}: ${info.command}`,
    text: text === "" ? "(it has not written anything)" : text,
    kind: "text",
  });
}
