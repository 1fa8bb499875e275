import type { AgentProgress, UserInput } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { AgentAnswer, AgentCall, AgentTask, InputSchema } from "@unroll/tools";
import { type AgentPlace, withChanges } from "./agent-worktree.ts";
import { type Agent, answerEnded, nameAgent, toAgent } from "./agent.ts";
import type { AgentPoolPorts, ChildThread } from "./agent-ports.ts";
import { type AgentReport, renderReport, renderRunning } from "./agent-words.ts";
import { followTurn, toNewProgress } from "./follow-turn.ts";
import type { Waits } from "./waits.ts";

/** The sub-agents of a thread, and how they are run. */
export interface AgentRuns<Child> {
  readonly ports: AgentPoolPorts<Child>;
  readonly agents: Agent<Child>[];
  /** The names of all, also of those that are about to start. */
  readonly taken: Set<string>;
  readonly waits: Waits;
  /** Aborts when all are stopped, also for those that are about to run; then there is another one. */
  halt: AbortController;
}

/** The start of a sub-agent by a call, or by the program. */
interface AgentStart extends Pick<AgentCall, "signal" | "item"> {
  /** Null: the program starts it. */
  readonly callId: string | null;
  /** Null: nothing shows it. */
  readonly emit: AgentCall["emit"] | null;
  /** Its final message must fit it. Absent: any text. */
  readonly output?: InputSchema;
}

/** Opens a sub-agent for a task and runs it. It is recorded before its first request. Returns why it cannot. */
export async function startAgent<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  task: AgentTask,
  call: AgentStart,
): Promise<Agent<Child> | string> {
  const { ports, agents } = runs;
  const { count } = ports.tree;
  const { signal: halted } = runs.halt;
  const obstacle = findObstacle(ports, call) ?? findTotalObstacle(ports);
  if (obstacle !== null) return obstacle;
  const name = nameAgent(task, runs.taken);
  runs.taken.add(name);
  count.running += 1; // its place, until it ends
  count.starting += 1;
  try {
    const { thread, isPriced, place } = await ports.open(task, name);
    const progress = { ...toNewProgress(thread.id, name, task.role), ...showPlace(place) };
    count.started.add(thread.id);
    await record(ports, { thread, place, name, task, call, halted });
    const { item, emit, callId, output } = call;
    const startedAt = ports.clock.now();
    const startedAfter = ports.clock.elapsed();
    const begun = { callId, progress, report: null, cutTurns: null, hasOutput: false };
    const agent: Agent<Child> = { ...toAgent(begun), isPriced, place, item, emit, startedAt, startedAfter };
    agents.push(agent);
    const isReported = callId === null;
    const message: AgentMessage = { text: task.task, from: callId === null ? "user" : "agent" };
    begin(runs, Object.assign(agent, { thread }), { message, isReported, ...(output && { output }) });
    return agent;
  } catch (error) {
    count.running -= 1;
    call.signal.throwIfAborted();
    return describeThrown(error);
  } finally {
    count.starting -= 1;
  }
}

interface OpenedChild {
  readonly thread: ChildThread;
  readonly place: AgentPlace | null;
  readonly name: string;
  readonly task: AgentTask;
  readonly call: Pick<AgentStart, "callId" | "signal">;
  readonly halted: AbortSignal;
}

async function record(
  { journal }: Pick<AgentPoolPorts<unknown>, "journal">,
  { thread, place, name, task: { role }, call: { callId, signal }, halted }: OpenedChild,
): Promise<void> {
  const checkWanted = (): void => {
    signal.throwIfAborted();
    halted.throwIfAborted();
  };
  try {
    checkWanted();
    journal.record({ type: "agent.started", callId, childId: thread.id, role, name });
    await journal.settled();
    checkWanted();
  } catch (error) {
    await closeQuietly(thread);
    await place?.settle(true);
    throw error;
  }
}

/** A sub-agent reads a message in the turn that runs, or begins another one with it. */
type Continued = { readonly type: "sent" | "begun" } | { readonly type: "refused"; readonly fault: string };

/** Gives a message to one that runs, and runs another turn of one that does not. Null: that is only to run. */
export async function continueAgent<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  agent: Agent<Child>,
  message: AgentMessage | null,
): Promise<Continued> {
  while (agent.continuing !== null) await agent.continuing; // calls of one response run side by side
  if (agent.run !== null && agent.thread !== null) {
    if (message !== null) await agent.thread.send(toInput(message));
    return { type: "sent" };
  }
  const begun = beginAgain(runs, agent, message ?? carryOn);
  agent.continuing = begun;
  const fault = await begun.finally(() => Object.assign(agent, { continuing: null }));
  return fault === null ? { type: "begun" } : { type: "refused", fault };
}

/** A text for a sub-agent. */
export interface AgentMessage {
  readonly text: string;
  /** `user`: you, or your program. `agent`: the model of the thread that started it. */
  readonly from: "user" | "agent" | "harness";
}

function toInput({ text, from }: AgentMessage): UserInput {
  switch (from) {
    case "user":
      return text;
    case "agent":
      return [{ type: "text", text, from }];
    case "harness":
      return [{ type: "text", text, isAdded: true }];
  }
}

const carryOn: AgentMessage = {
  text: "The program ended while you worked. Continue with your task, and end with your report.",
  from: "harness",
};

/** Runs another turn. Returns why it cannot; null: it runs. */
async function beginAgain<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  agent: Agent<Child>,
  message: AgentMessage,
): Promise<string | null> {
  const { ports } = runs;
  const { signal: halted } = runs.halt;
  const obstacle = findObstacle(ports, agent);
  if (obstacle !== null) return obstacle;
  ports.tree.count.running += 1;
  try {
    const thread = agent.thread ?? (await reopen(ports, agent, halted));
    giveItem(ports, agent, message.text);
    begin(runs, Object.assign(agent, { thread }), { message, isReported: false });
    return null;
  } catch (error) {
    ports.tree.count.running -= 1;
    return describeThrown(error);
  }
}

/** One whose item has ended gets another one, which ends with its turn. */
function giveItem(
  { tell, newId, clock, names }: Pick<AgentPoolPorts<unknown>, "tell" | "newId" | "clock" | "names">,
  agent: Agent<unknown>,
  message: string,
): void {
  agent.emit = null; // the call that started it is over
  if (agent.item !== null) return;
  const progress = { ...agent.progress, state: "running" } as const;
  const startedAt = clock.now();
  const call = { tool: names().send, arguments: { target: agent.name, message }, output: null } as const;
  const item = { id: newId(), type: "tool_call", ...call, status: "in_progress", started_at: startedAt } as const;
  tell({ type: "item.started", item: { ...item, agent: progress } });
  // with an output, it may run longer than the turn
  const output = renderRunning(progress, names(), "It continues with a message.");
  Object.assign(agent, { item: { ...item, output }, startedAt, startedAfter: clock.elapsed() });
}

async function reopen<Child extends ChildThread>(
  ports: AgentPoolPorts<Child>,
  agent: Agent<Child>,
  halted: AbortSignal,
): Promise<Child> {
  const { thread, isPriced, place } = await ports.resume(agent.progress.thread_id, agent.name);
  if (halted.aborted) {
    await closeQuietly(thread);
    await place?.settle(true);
    throw halted.reason;
  }
  Object.assign(agent, { isPriced, place });
  return thread;
}

/** Stops all that run, and all that are about to. */
export async function stopAgents<Child>(runs: AgentRuns<Child>): Promise<void> {
  const { halt } = runs;
  runs.halt = new AbortController();
  halt.abort(new Error("All sub-agents were stopped meanwhile."));
  await Promise.all(runs.agents.map(stopAgent));
}

/** Ends a running one. */
export async function stopAgent({ run }: Pick<Agent<unknown>, "run">): Promise<void> {
  run?.stop.abort();
  await run?.ended;
}

/** Ends one for good: one that was cut off with its process does not wait for its continuation any more. */
export async function endAgent<Child>(runs: AgentRuns<Child>, agent: Agent<Child>): Promise<void> {
  await agent.continuing;
  await stopAgent(agent);
  if (agent.cutTurns === null) return;
  agent.cutTurns = null;
  setReported(runs, agent, true);
}

/** Why no further sub-agent may run; null: it may. */
function findObstacle(
  { limits, tree }: Pick<AgentPoolPorts<unknown>, "limits" | "tree">,
  { callId }: Pick<AgentStart, "callId">,
): string | null {
  const { enabled, maxThreads, maxDepth } = limits();
  if (!enabled && callId !== null) return "Sub-agents are switched off (agents.enabled). Do the task yourself.";
  if (tree.depth >= maxDepth) {
    return `Sub-agents nest at most ${maxDepth} deep, which is the limit (agents.max_depth). Do the task yourself.`;
  }
  if (tree.count.running < maxThreads) return null;
  const { running } = tree.count;
  return `${running} ${running === 1 ? "sub-agent runs" : "sub-agents run"} already, which is the limit (agents.max_threads). Wait for one of them, or do the task yourself.`;
}

/** Why no other one may start; null: it may. One that was started may continue. */
function findTotalObstacle({
  limits,
  tree: { count },
}: Pick<AgentPoolPorts<unknown>, "limits" | "tree">): string | null {
  const { maxTotal } = limits();
  if (count.started.size + count.starting < maxTotal) return null;
  const { size } = count.started;
  return `${size} ${size === 1 ? "sub-agent was" : "sub-agents were"} started already, which is the limit (agents.max_total). Do the task yourself, or send it to one of them.`;
}

interface AgentInput extends Pick<AgentStart, "output"> {
  readonly message: AgentMessage;
  /** Whether the model needs no report of the turn. */
  readonly isReported: boolean;
}

function begin<Child extends ChildThread>(
  runs: AgentRuns<Child>,
  agent: Agent<Child> & { thread: Child },
  { message, isReported, output }: AgentInput,
): void {
  const { ports } = runs;
  const { thread } = agent;
  const stop = new AbortController();
  const { tokens: before, cached_tokens: cachedBefore = 0 } = agent.progress;
  const { cost: paid } = thread.budget.spent;
  agent.progress = { ...agent.progress, state: "running", ...readThread(agent, thread), ...showPlace(agent.place) };
  Object.assign(agent, { cutTurns: null, isShown: false });
  setReported(runs, agent, isReported);
  const turn = thread.run(toInput(message), { signal: stop.signal, ...(output && { output }) });
  const follow = async (): Promise<void> => {
    await show(ports, agent);
    const report = await followTurn(turn, ({ lastAction, tokens, cachedTokens }) => {
      const used = {
        tokens: before + tokens,
        cached_tokens: cachedBefore + cachedTokens,
        ...readThread(agent, thread, paid),
      };
      agent.progress = { ...agent.progress, ...(lastAction !== null && { last_action: lastAction }), ...used };
      return show(ports, agent);
    });
    if (ports.isKept()) {
      await closeQuietly(thread);
      Object.assign(agent, { thread: null });
    }
    agent.progress = { ...agent.progress, ...readThread(agent, thread) };
    end(runs, agent, await settlePlace(agent, report));
  };
  agent.run = { stop, turn, ended: follow() };
}

/** The report with what it changed in its worktree, which goes with the closed thread if that is nothing. */
async function settlePlace(agent: Agent<unknown>, report: AgentReport): Promise<AgentReport> {
  if (agent.place === null) return report;
  const changes = await agent.place.settle(agent.thread === null);
  agent.progress = withChanges(agent.progress, changes);
  return { ...report, changedFiles: changes.changedFiles, worktree: changes.told };
}

function showPlace(place: AgentPlace | null): Partial<AgentProgress> {
  return place === null ? {} : { worktree: { path: place.noted.tree, branch: place.noted.branch, patch: null } };
}

/** An item whose call is over ends with its sub-agent. */
function end<Child>({ ports, waits }: AgentRuns<Child>, agent: Agent<Child>, report: AgentReport): void {
  const { state, text } = report;
  ports.tree.count.running -= 1;
  Object.assign(agent, { run: null, report });
  agent.progress = { ...agent.progress, state };
  const { item, progress, startedAfter } = agent;
  if (item !== null && agent.emit === null) {
    const ended =
      state === "completed" ? ({ status: "completed" } as const) : ({ status: "failed", reason: text } as const);
    const duration_ms = Math.round(ports.clock.elapsed() - startedAfter);
    const output = renderReport(progress, report);
    ports.tell({ type: "item.completed", item: { ...item, output, agent: progress, ...ended, duration_ms } });
    Object.assign(agent, { item: null, isShown: true });
  }
  waits.notify();
}

/** The answer about one that does not run; from then on the model knows its end. One that was cut off has none: it can continue. */
export function reportEnd<Child>(runs: AgentRuns<Child>, agent: Agent<Child>): AgentAnswer {
  if (agent.cutTurns === null) setReported(runs, agent, true);
  return answerEnded(agent);
}

export function setReported<Child>(
  { ports, agents }: AgentRuns<Child>,
  agent: Agent<Child>,
  isReported: boolean,
): void {
  if (agent.isReported === isReported) return;
  agent.isReported = isReported;
  ports.keepTold(agents.filter((each) => each.isReported).map(({ progress }) => progress));
}

/** Never throws: a call whose reader has left shows nothing more. */
export async function show({ tell }: Pick<AgentPoolPorts<unknown>, "tell">, agent: Agent<unknown>): Promise<void> {
  if (agent.item === null) return;
  agent.item = { ...agent.item, agent: agent.progress };
  const event = { type: "item.updated", item: agent.item } as const;
  try {
    await (agent.emit === null ? tell(event) : agent.emit(event));
  } catch {
    // the call ends with the reason
  }
}

/** Its journal was settled before its turn ended, so nothing is lost. */
async function closeQuietly(thread: AsyncDisposable): Promise<void> {
  try {
    await thread[Symbol.asyncDispose]();
  } catch {
    // the report says how it ended
  }
}

/** The facts that its thread has: its cost, and its own sub-agents. `paid`: before its running turn. */
function readThread(
  { isPriced }: Pick<Agent<unknown>, "isPriced">,
  thread: ChildThread,
  paid = 0,
): Partial<AgentProgress> {
  const agents = thread.agents.list();
  return { ...(isPriced && { cost: paid + thread.budget.spent.cost }), ...(agents.length > 0 && { agents }) };
}
