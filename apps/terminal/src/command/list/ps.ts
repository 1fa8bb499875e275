import type { BackgroundCommandInfo } from "@unroll/tools";
import { showHidden } from "@unroll/text";
import type { HostedThread } from "@unroll/thread-host";
import { toOneLine } from "../../text/to-one-line.ts";
import type { ArgumentChoice, CommandContext, TerminalCommand } from "../terminal-command.ts";

export const psCommand: TerminalCommand = {
  name: "ps",
  description: "list background commands; follow, end or keep one",
  argument: "[ID|kill ID|keep ID]",
  choices: ({ thread, threads }) => [thread, ...threads.left].flatMap(listSessions).flatMap(toChoices),
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    const { thread, threads, tell } = context;
    const found = [thread, ...threads.left].flatMap(listSessions);
    if (argument === "") return choose(context, found);
    const [, verb = "follow", word = ""] = /^(?:(kill|keep|follow|tail)\s+)?(\d+)$/.exec(argument) ?? [];
    const session = found.find(({ info }) => String(info.id) === word);
    if (session === undefined)
      return tell(`There is no command with the id ${showHidden(word || argument)}. /ps lists all.`);
    await act(context, session, verb);
  },
};

function toChoices({ info }: FoundSession): readonly ArgumentChoice[] {
  const what = toOneLine(info.command);
  const follow = { value: String(info.id), description: `follow ${what}` };
  if (!info.isRunning) return [follow];
  const others = [
    { value: `kill ${info.id}`, description: `end ${what}` },
    { value: `keep ${info.id}`, description: `keep ${what}` },
  ];
  return [follow, ...others];
}

interface FoundSession {
  readonly thread: HostedThread<unknown>;
  readonly info: BackgroundCommandInfo;
}

function listSessions(thread: HostedThread<unknown>): readonly FoundSession[] {
  return thread.backgroundCommands.list().map((info) => ({ thread, info }));
}

async function choose(context: CommandContext, found: readonly FoundSession[]): Promise<void> {
  if (found.length === 0) return context.tell("No background commands.");
  const backgroundCommands = found.map((session) => ({
    value: String(session.info.id),
    label: toOneLine(session.info.command),
    description: `${session.info.id}, ${describeState(session.info)}`,
  }));
  const id = await context.choose({ title: "Background commands", options: backgroundCommands });
  const session = found.find(({ info }) => String(info.id) === id);
  if (session === undefined) return;
  const actions = [
    { value: "follow", label: "follow it", description: "show its output live" },
    { value: "kill", label: "end it", description: "and everything that it started" },
    { value: "keep", label: "keep it", description: "do not end it when you switch threads" },
  ];
  const title = showHidden(session.info.command);
  const verb = await context.choose({ title, options: session.info.isRunning ? actions : actions.slice(0, 1) });
  if (verb !== null) await act(context, session, verb);
}

function describeState({ isRunning, exitCode }: BackgroundCommandInfo): string {
  return isRunning ? "running" : exitCode === null ? "stopped" : `exit ${exitCode}`;
}

async function act({ threads, follow, tell }: CommandContext, found: FoundSession, verb: string): Promise<void> {
  const { thread, info } = found;
  if (verb === "kill")
    return tell(
      (await thread.backgroundCommands.kill(info.id)) ? `Ended: ${showHidden(info.command)}` : "It has already ended.",
    );
  if (verb === "keep") {
    const isKept = thread === threads.current && threads.keepCommand(info.id);
    return tell(
      isKept
        ? "It keeps running when you switch threads and stops when you quit."
        : "It is already kept, or has ended.",
    );
  }
  follow({ title: `${info.id}: ${showHidden(info.command)}`, read: () => readSession(found) });
}

/** Its latest output, and how it ended. */
function readSession({ thread, info: { id } }: FoundSession): string {
  const text = thread.backgroundCommands.tail(id) ?? "";
  const now = thread.backgroundCommands.list().find((each) => each.id === id);
  const shown = text === "" ? "(no output yet)" : text;
  return now?.isRunning === true
    ? shown
    : `${shown.trimEnd()}\n\n(${now === undefined ? "ended" : describeState(now)})`;
}
