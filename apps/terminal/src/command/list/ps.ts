import type { BackgroundCommandInfo } from "@unroll/tools";
import { showHidden } from "@unroll/text";
import type { Thread } from "@unroll/harness";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const psCommand: TerminalCommand = {
  name: "ps",
  description: "the commands that run in the background: followed, ended, kept",
  argument: "[ID|kill ID|keep ID]",
  timing: "always",
  async run(context, argument) {
    const { conversation, tell } = context;
    const found = [conversation.thread, ...conversation.leftThreads()].flatMap(listSessions);
    if (argument === "") return choose(context, found);
    const [, verb = "follow", word = ""] = /^(?:(kill|keep|follow|tail)\s+)?(\d+)$/.exec(argument) ?? [];
    const session = found.find(({ info }) => String(info.id) === word);
    if (session === undefined) return tell(`No command has this id: ${showHidden(word || argument)}. /ps lists them.`);
    await act(context, session, verb);
  },
};

interface FoundSession {
  readonly thread: Thread;
  readonly info: BackgroundCommandInfo;
}

function listSessions(thread: Thread): readonly FoundSession[] {
  return thread.sessions.list().map((info) => ({ thread, info }));
}

async function choose(context: CommandContext, found: readonly FoundSession[]): Promise<void> {
  if (found.length === 0) return context.tell("Nothing runs in the background.");
  const sessions = found.map((session) => ({
    value: String(session.info.id),
    label: showHidden(session.info.command).replaceAll(/\s+/g, " "),
    description: `${session.info.id}, ${describeState(session.info)}`,
  }));
  const id = await context.choose({ title: "Commands in the background", options: sessions });
  const session = found.find(({ info }) => String(info.id) === id);
  if (session === undefined) return;
  const actions = [
    { value: "follow", label: "follow it", description: "what it writes, as it comes" },
    { value: "kill", label: "end it", description: "with all that it started" },
    { value: "keep", label: "keep it", description: "also when you go to another conversation" },
  ];
  const title = showHidden(session.info.command);
  const verb = await context.choose({ title, options: session.info.isRunning ? actions : actions.slice(0, 1) });
  if (verb !== null) await act(context, session, verb);
}

function describeState({ isRunning, exitCode }: BackgroundCommandInfo): string {
  return isRunning ? "runs" : exitCode === null ? "stopped" : `exit ${exitCode}`;
}

async function act({ conversation, follow, tell }: CommandContext, found: FoundSession, verb: string): Promise<void> {
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
  follow({ title: `${info.id}: ${showHidden(info.command)}`, read: () => readSession(found) });
}

/** What it wrote last, and how it ended once it has. */
function readSession({ thread, info: { id } }: FoundSession): string {
  const text = thread.sessions.tail(id) ?? "";
  const now = thread.sessions.list().find((each) => each.id === id);
  const shown = text === "" ? "(it has not written anything)" : text;
  return now?.isRunning === true
    ? shown
    : `${shown.trimEnd()}\n\n(${now === undefined ? "ended" : describeState(now)})`;
}
