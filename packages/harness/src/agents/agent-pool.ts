import type { AgentProgress, MessageItem } from "@unroll/protocol";
import type { AgentAnswer, AgentCall, AgentPort, AgentTask, AgentWait, InputSchema } from "@unroll/tools";
import { type Agent, toAgent } from "./agent.ts";
import type { AgentPoolPorts, ChildThread } from "./agent-ports.ts";
import { describeAgent, renderCut, renderRunning, toAgentMessage } from "./agent-words.ts";
import {
  type AgentMessage,
  type AgentRuns,
  continueAgent,
  endAgent,
  reportEnd,
  setReported,
  show,
  startAgent,
  stopAgent,
  stopAgents,
} from "./run-agent.ts";
import { createWaits } from "./waits.ts";

/** The sub-agents of a thread, for its program. `agent`: the id of its thread, or its name. */
export interface AgentList<Child> {
  /** Your message: a running one gets it with its next request; one that has ended begins another turn. */
  send(agent: string, message: string, signal: AbortSignal): Promise<AgentAnswer>;
  /** Stops a running one. The model gets its end before its next request, or by the call that waits. */
  stop(agent: string): Promise<AgentAnswer>;
  list(): readonly AgentProgress[];
  /** The open thread of one; null: it has none, because it has ended, or there is no such sub-agent. */
  find(agent: string): Child | null;
  /** Whether any of them runs. */
  readonly isRunning: boolean;
  /** Resolves when none runs any more, or when the signal aborts. */
  untilIdle(signal: AbortSignal): Promise<void>;
  /**
   * Takes the messages for the model about those that ended since, and after a compaction about all that run. Empty: there is nothing
   * new. The thread takes them before each request; a guard that continues a turn may take them earlier.
   */
  takeReports(): readonly MessageItem[];
}

interface SpawnedTurn {
  readonly signal: AbortSignal;
  readonly output?: InputSchema;
}

/** The sub-agents of a thread. */
export interface AgentPool<Child> extends AgentList<Child>, AgentPort {
  /** Starts one for the program, which gets its report; the model does not. Returns why it cannot. */
  spawn(task: AgentTask, options: SpawnedTurn): Promise<Agent<Child> | string>;
  /** A compaction: the model gets a list of those that run. */
  onEpoch(): void;
  /** A person said something: calls that wait give up waiting. */
  onMessage(): void;
  stopAll(): Promise<void>;
}

/** The sub-agents of a thread, with those that it started in other processes. */
export function createAgentPool<Child extends ChildThread>(ports: AgentPoolPorts<Child>): AgentPool<Child> {
  const restored: Agent<Child>[] = ports.restored.map(toAgent);
  const taken = new Set(restored.map(({ name }) => name));
  for (const { progress } of restored) ports.tree.count.started.add(progress.thread_id);
  const waiting = createWaits(ports.clock, ports.rest);
  const runs: AgentRuns<Child> = { ports, agents: restored, taken, waits: waiting, halt: new AbortController() };
  const { agents, waits } = runs;
  /** The calls that start one now. */
  const starting = new Map<string, Promise<AgentAnswer>>();
  let isEpochNew = false;

  return {
    async start(task, call) {
      const { callId } = call;
      const known = agents.find((agent) => agent.callId === callId);
      const begin = async (): Promise<AgentAnswer> =>
        finishCall(runs, known ?? (await startAgent(runs, task, call)), call);
      const answer = starting.get(callId) ?? begin();
      starting.set(callId, answer);
      try {
        return await answer;
      } finally {
        starting.delete(callId);
      }
    },
    spawn: (task, options) => startAgent(runs, task, { callId: null, item: null, emit: null, ...options }),
    wait: (wait, signal) => waitForAgents(runs, wait, signal),
    send: (wanted, text) => giveMessage(runs, wanted, { text, from: "user" }),
    message: (wanted, text) => giveMessage(runs, wanted, { text, from: "agent" }),
    async interrupt(wanted) {
      const agent = findAgent(agents, wanted);
      if (agent === null) return toMissing(agents, [wanted]);
      await endAgent(runs, agent);
      return { output: reportEnd(runs, agent).output, fault: null };
    },
    async stop(wanted) {
      const agent = findAgent(agents, wanted);
      if (agent === null) return toMissing(agents, [wanted]);
      await endAgent(runs, agent);
      return { output: `${describeAgent(agent.progress)}: ${agent.progress.state}`, fault: null };
    },
    list: () => agents.map(({ progress }) => progress),
    find: (wanted) => findAgent(agents, wanted)?.thread ?? null,
    get isRunning() {
      return agents.some(({ run }) => run !== null);
    },
    takeReports() {
      const isAfterEpoch = isEpochNew;
      isEpochNew = false;
      return takeNews(runs, isAfterEpoch);
    },
    onEpoch() {
      isEpochNew = true;
    },
    onMessage: () => waits.onMessage(),
    async untilIdle(signal) {
      await waits.until(() => agents.every(({ run }) => run === null), { signal, ignoresMessages: true });
    },
    stopAll: () => stopAgents(runs),
  };
}

async function giveMessage<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  wanted: string,
  message: AgentMessage,
): Promise<AgentAnswer> {
  const { agents, ports } = runs;
  const agent = findAgent(agents, wanted);
  if (agent === null) return toMissing(agents, [wanted]);
  const continued = await continueAgent(runs, agent, message);
  switch (continued.type) {
    case "sent":
      return { output: `${describeAgent(agent.progress)} reads the message before its next step.`, fault: null };
    case "begun":
      return { output: renderRunning(agent.progress, ports.names(), "It continues with your message."), fault: null };
    case "refused":
      return { output: `The message was not sent. ${continued.fault}`, fault: continued.fault };
  }
}

/** The messages about sub-agents that ended or were cut off since; after an epoch, also about all that run. */
function takeNews<Child>(runs: AgentRuns<Child>, isAfterEpoch: boolean): readonly MessageItem[] {
  const { agents, ports } = runs;
  const ended = agents.filter(
    ({ run, report, isReported, emit }) => run === null && report !== null && !isReported && emit === null,
  );
  const cut = agents.filter(({ cutTurns }) => cutTurns !== null);
  const again = cut.filter(({ isCutTold }) => isCutTold && isAfterEpoch);
  const fresh = cut.filter(({ isCutTold }) => !isCutTold);
  const running = isAfterEpoch ? agents.filter(({ run, isReported }) => run !== null && !isReported) : [];
  const news = [
    ...ended.map((agent) => reportEnd(runs, agent).output),
    ...fresh.map((agent) => renderCut(Object.assign(agent, { isCutTold: true }))),
  ];
  const list = [
    ...again.map(renderCut),
    ...running.map(({ progress }) => renderRunning(progress, ports.names(), "You started it.")),
  ];
  return [
    ...(news.length === 0 ? [] : [toAgentMessage(news, "sub_agents")]),
    ...(list.length === 0 ? [] : [toAgentMessage(list, "sub_agents_running")]),
  ];
}

const gaveUp = "The user wrote to you, so this call stopped waiting.";

/** Waits as the call wants, and gives its answer. `agent`: or why there is none. */
async function finishCall<Child>(
  runs: AgentRuns<Child>,
  agent: Agent<Child> | string,
  { callId, waits: isBlocking, signal }: AgentCall,
): Promise<AgentAnswer> {
  const { ports, waits } = runs;
  if (typeof agent === "string") {
    return { output: `The sub-agent was not started. ${agent}`, fault: `It was not started. ${agent}` };
  }
  const ended = await waits.until(() => agent.run === null || !isBlocking, { signal });
  if (ended === "aborted") {
    await stopAgent(agent);
    setReported(runs, agent, true); // the call's output tells it
    await show(ports, agent);
    signal.throwIfAborted();
  }
  if (agent.run === null) return reportEnd(runs, agent);
  const why = isBlocking ? gaveUp : "It works in the background.";
  const output = renderRunning(agent.progress, ports.names(), why);
  agent.emit = null;
  if (agent.item === null) return { output, fault: null };
  agent.item = { ...agent.item, output, call_id: callId, started_at: agent.startedAt };
  ports.tell({ type: "item.updated", item: agent.item });
  return { output, fault: null, item: null };
}

/** Sub-agents that were cut off with their process continue. */
async function waitForAgents<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  { agents: wanted, until, timeoutMs }: AgentWait,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const { agents, ports, waits } = runs;
  const asked = wanted ?? agents.filter(isAwaited).map(({ name }) => name);
  const missing = asked.filter((id) => findAgent(agents, id) === null);
  if (missing.length > 0) return toMissing(agents, missing);
  const waited = [...new Set(asked.map((id) => findAgent(agents, id)))].filter((agent) => agent !== null);
  if (waited.length === 0) return { output: "No sub-agent runs.", fault: null };
  const cut = waited.filter(({ run, cutTurns }) => run === null && cutTurns !== null);
  const continued = await Promise.all(cut.map((agent) => continueAgent(runs, agent, null)));
  const faults = continued.flatMap((each) => (each.type === "refused" ? [each.fault] : []));
  const isEnded = ({ run }: Agent<Child>): boolean => run === null;
  const isMet = (): boolean => (until === "any" ? waited.some(isEnded) : waited.every(isEnded));
  const ended = await waits.until(isMet, { signal, timeoutMs });
  signal.throwIfAborted();
  const why = ended === "message" ? gaveUp : "";
  const lines = waited.map((agent) =>
    isEnded(agent) ? reportEnd(runs, agent).output : renderRunning(agent.progress, ports.names(), why),
  );
  const output = [...faults, ...lines].join("\n\n");
  if (faults.length > 0) return { output, fault: faults.join(" ") };
  const isKnown = waited.every((agent) => isEnded(agent) && agent.isShown);
  return { output, fault: null, ...(isKnown && { reported: waited.map(({ progress }) => progress.thread_id) }) };
}

function isAwaited({ run, cutTurns, report, isReported }: Agent<unknown>): boolean {
  return !isReported && (run !== null || cutTurns !== null || report !== null);
}

/** The latest of this id or name. */
function findAgent<Child>(agents: readonly Agent<Child>[], wanted: string): Agent<Child> | null {
  return agents.findLast(({ name, progress }) => name === wanted || progress.thread_id === wanted) ?? null;
}

function toMissing(agents: readonly Agent<unknown>[], wanted: readonly string[]): AgentAnswer {
  const known = agents.map(({ name }) => name).join(", ");
  const output = `This thread has no sub-agent ${wanted.join(", ")}. ${known === "" ? "It has none." : `It has: ${known}.`}`;
  return { output, fault: output };
}
