import { readFile } from "node:fs/promises";
import { contain } from "@unroll/flow";
import { type AgentProgress, replayThread, type ThreadEvent } from "@unroll/protocol";
import { describeSystemError, showHidden } from "@unroll/text";
import { createTextPrinter, describeAgent, describeAgents, listAgents, plainStyle } from "@unroll/view";
import { toOneLine } from "../../text/to-one-line.ts";
import type { ArgumentChoice, CommandContext, TerminalCommand } from "../terminal-command.ts";

export const agentsCommand: TerminalCommand = {
  name: "agents",
  description: "list sub-agents; read, write to or stop one, or see its diff",
  argument: "[NAME|diff NAME|send NAME TEXT|stop NAME]",
  choices: ({ thread }) => listKnown(thread).flatMap(toChoices),
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    if (argument === "") return choose(context);
    const [, verb = "open", rest = ""] = /^(?:(open|diff|send|stop)\s+)?(.*)$/s.exec(argument) ?? [];
    const found = listKnown(context.thread)
      .flatMap((named) => [named.name, named.agent.thread_id].map((word) => ({ named, word })))
      .filter(({ word }) => startsWith(rest, word))
      .reduce<FoundAgent | null>((best, each) => (best && best.word.length > each.word.length ? best : each), null);
    if (found === null) return context.tell(`There is no sub-agent ${showHidden(rest)}. /agents lists all.`);
    await act(context, { named: found.named, verb, text: rest.slice(found.word.length).trim() });
  },
};

/** A sub-agent, or one of another one: `worker / explorer 2`. */
type NamedAgent = ReturnType<typeof listAgents>[number];

interface FoundAgent {
  readonly named: NamedAgent;
  /** The word that names it. */
  readonly word: string;
}

type AgentThread = Pick<CommandContext["thread"], "agents">;

function listKnown({ agents }: AgentThread): readonly NamedAgent[] {
  return listAgents(agents?.list() ?? []);
}

/** The list in which a sub-agent can be written to and stopped; null: the one that started it is not open. */
function findList(list: NonNullable<AgentThread["agents"]>, id: string): AgentThread["agents"] {
  for (const { thread_id } of list.list()) {
    if (thread_id === id) return list;
    const own = list.find(thread_id)?.agents ?? null;
    const found = own && findList(own, id);
    if (found !== null) return found;
  }
  return null;
}

/** Names may have blanks. */
function startsWith(text: string, word: string): boolean {
  return text === word || text.startsWith(`${word} `);
}

function toChoices({ name, agent }: NamedAgent): readonly ArgumentChoice[] {
  const open = { value: name, description: toOneLine(describeAgent(agent)) };
  const send = { value: `send ${name} `, description: `write to ${name}` };
  const stop = { value: `stop ${name}`, description: `stop ${name}` };
  const diff = { value: `diff ${name}`, description: `the changes in the worktree of ${name}` };
  return [open, send, ...(agent.state === "running" ? [stop] : []), ...(hasDiff(agent) ? [diff] : [])];
}

async function choose(context: CommandContext): Promise<void> {
  const known = listKnown(context.thread);
  if (known.length === 0) return context.tell("No sub-agents.");
  const options = known.map(({ name, agent }) => ({
    value: agent.thread_id,
    label: toOneLine(name),
    description: toOneLine(describeAgent(agent)),
  }));
  const title = describeAgents(context.thread.agents?.list() ?? []).replace(/^s/, "S");
  const id = await context.choose({ title, options });
  const named = known.find(({ agent }) => agent.thread_id === id);
  if (named === undefined) return;
  const stop = { value: "stop", label: "stop it", description: "its changes to files stay" };
  const diff = { value: "diff", label: "see its diff", description: "the changes in its worktree" };
  const actions = [
    { value: "open", label: "read it", description: "show its transcript live" },
    { value: "send", label: "write to it", description: "it reads your message before its next step" },
    ...(named.agent.state === "running" ? [stop] : []),
    ...(hasDiff(named.agent) ? [diff] : []),
  ];
  const verb = await context.choose({ title: toOneLine(named.name), options: actions });
  if (verb === "send") return context.prefill(`/agents send ${named.name} `);
  if (verb !== null) await act(context, { named, verb, text: "" });
}

/** Its changes are saved when it ends. */
function hasDiff({ worktree }: AgentProgress): boolean {
  return typeof worktree?.patch === "string";
}

interface AgentAction {
  readonly named: NamedAgent;
  readonly verb: string;
  /** The message. */
  readonly text: string;
}

async function act(context: CommandContext, { named, verb, text }: AgentAction): Promise<void> {
  const { thread, tell, signal } = context;
  if (verb === "diff") return showDiff(context, named);
  if (verb === "open") return openTranscript(context, named);
  const name = showHidden(named.name);
  if (verb === "send" && text === "") return tell(`Write the message behind the name: /agents send ${name} TEXT`);
  const { thread_id: id } = named.agent;
  const list = thread.agents && findList(thread.agents, id);
  if (list === null) return tell(`${name} cannot be reached: the sub-agent that started it does not run.`);
  if (verb === "stop") {
    await list.stop(id);
    return tell(`Stopped: ${name}`);
  }
  const { fault } = await list.send(id, text, signal);
  tell(fault ?? `Sent to ${name}.`);
}

async function showDiff({ tell, page }: CommandContext, { name, agent: { worktree } }: NamedAgent): Promise<void> {
  const file = worktree?.patch ?? null;
  if (worktree === undefined || file === null)
    return tell(`${showHidden(name)} has no diff: it gets one when it ends in a worktree.`);
  try {
    const text = await readFile(file, "utf8");
    page({
      title: `Changes of ${showHidden(name)}: git apply ${showHidden(file)} takes them over`,
      text,
      kind: "diff",
    });
  } catch (error) {
    tell(`${showHidden(file)} cannot be read: ${describeSystemError(error)}.`);
  }
}

/** Shows what is saved of its thread, and what comes. */
async function openTranscript(context: CommandContext, { name, agent }: NamedAgent): Promise<void> {
  const { thread, threads, follow } = context;
  const { thread_id: id } = agent;
  const find = (): AgentProgress => listKnown(thread).find((known) => known.agent.thread_id === id)?.agent ?? agent;
  const store = await threads.host.openStore();
  let shown: AgentProgress | null = null;
  let [text, isLoading] = ["", false];
  const load = async (): Promise<void> => {
    isLoading = true;
    shown = find();
    try {
      const { entries } = await store.load(id);
      const events = [...replayThread(entries)];
      text = renderPlain(shown.state === "running" ? events.map(toRunning) : events, thread.config.cwd);
    } catch {
      text = "(nothing is saved)\n"; // a thread is saved from its first turn on
    }
    isLoading = false;
  };
  const look = contain(load, () => {});
  await load();
  follow({
    title: `Sub-agent ${showHidden(name)}`,
    read() {
      const now = find();
      if (now !== shown && !isLoading) look();
      return `${text}\n(${toOneLine(describeAgent(now))})`;
    },
  });
}

/** A call without an end runs. */
function toRunning(event: ThreadEvent): ThreadEvent {
  if (event.type !== "item.completed" || !("status" in event.item) || event.item.status !== "unknown") return event;
  return { type: "item.started", item: { ...event.item, status: "in_progress" } };
}

function renderPlain(events: readonly ThreadEvent[], cwd: string): string {
  const shown = { finalMessage: "progress", questions: "shown", showReasoning: true } as const;
  const printer = createTextPrinter({ ...shown, style: plainStyle, cwd });
  return events.flatMap((event) => printer.print(event).map(({ text }) => text)).join("");
}
