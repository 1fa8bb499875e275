import { readFile } from "node:fs/promises";
import { contain } from "@unroll/flow";
import { type AgentProgress, replayThread, type ThreadEvent } from "@unroll/protocol";
import { describeSystemError, showHidden } from "@unroll/text";
import { createTextPrinter, describeAgent, plainStyle } from "@unroll/view";
import { toOneLine } from "../../text/to-one-line.ts";
import type { ArgumentChoice, CommandContext, TerminalCommand } from "../terminal-command.ts";

export const agentsCommand: TerminalCommand = {
  name: "agents",
  description: "list sub-agents; read, write to or stop one, or see its diff",
  argument: "[NAME|diff NAME|send NAME TEXT|stop NAME]",
  choices: ({ thread }) => (thread.agents?.list() ?? []).flatMap(toChoices),
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    const agents = context.thread.agents?.list() ?? [];
    if (argument === "") return choose(context, agents);
    const [, verb = "open", rest = ""] = /^(?:(open|diff|send|stop)\s+)?(.*)$/s.exec(argument) ?? [];
    const found = agents.findLast(({ name, thread_id }) => startsWith(rest, name) || startsWith(rest, thread_id));
    if (found === undefined) return context.tell(`There is no sub-agent ${showHidden(rest)}. /agents lists all.`);
    const word = startsWith(rest, found.name) ? found.name : found.thread_id;
    await act(context, { agent: found, verb, text: rest.slice(word.length).trim() });
  },
};

/** Names may have blanks. */
function startsWith(text: string, word: string): boolean {
  return text === word || text.startsWith(`${word} `);
}

function toChoices(agent: AgentProgress): readonly ArgumentChoice[] {
  const { name, state } = agent;
  const open = { value: name, description: toOneLine(describeAgent(agent)) };
  const send = { value: `send ${name} `, description: `write to ${name}` };
  const stop = { value: `stop ${name}`, description: `stop ${name}` };
  const diff = { value: `diff ${name}`, description: `the changes in the worktree of ${name}` };
  return [open, send, ...(state === "running" ? [stop] : []), ...(hasDiff(agent) ? [diff] : [])];
}

async function choose(context: CommandContext, agents: readonly AgentProgress[]): Promise<void> {
  if (agents.length === 0) return context.tell("No sub-agents.");
  const options = agents.map((agent) => ({
    value: agent.thread_id,
    label: toOneLine(agent.name),
    description: toOneLine(describeAgent(agent)),
  }));
  const id = await context.choose({ title: "Sub-agents", options });
  const agent = agents.find(({ thread_id }) => thread_id === id);
  if (agent === undefined) return;
  const stop = { value: "stop", label: "stop it", description: "its changes to files stay" };
  const diff = { value: "diff", label: "see its diff", description: "the changes in its worktree" };
  const actions = [
    { value: "open", label: "read it", description: "show its transcript live" },
    { value: "send", label: "write to it", description: "it reads your message before its next step" },
    ...(agent.state === "running" ? [stop] : []),
    ...(hasDiff(agent) ? [diff] : []),
  ];
  const verb = await context.choose({ title: toOneLine(agent.name), options: actions });
  if (verb === "send") return context.prefill(`/agents send ${agent.name} `);
  if (verb !== null) await act(context, { agent, verb, text: "" });
}

/** Its changes are saved when it ends. */
function hasDiff({ worktree }: AgentProgress): boolean {
  return typeof worktree?.patch === "string";
}

interface AgentAction {
  readonly agent: AgentProgress;
  readonly verb: string;
  /** The message. */
  readonly text: string;
}

async function act(context: CommandContext, { agent, verb, text }: AgentAction): Promise<void> {
  const { thread, tell, signal } = context;
  const { thread_id: id, name } = agent;
  if (verb === "stop") {
    await thread.agents?.stop(id);
    return tell(`Stopped: ${showHidden(name)}`);
  }
  if (verb === "send") {
    if (text === "") return tell(`Write the message behind the name: /agents send ${showHidden(name)} TEXT`);
    const answer = await thread.agents?.send(id, text, signal);
    return tell(answer?.fault ?? `Sent to ${showHidden(name)}.`);
  }
  if (verb === "diff") return showDiff(context, agent);
  await openTranscript(context, agent);
}

async function showDiff({ tell, page }: CommandContext, { name, worktree }: AgentProgress): Promise<void> {
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
async function openTranscript(context: CommandContext, agent: AgentProgress): Promise<void> {
  const { thread, threads, follow } = context;
  const { thread_id: id, name } = agent;
  const find = (): AgentProgress => thread.agents?.list().find(({ thread_id }) => thread_id === id) ?? agent;
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
