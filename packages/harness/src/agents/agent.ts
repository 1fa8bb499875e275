import type { AgentProgress, ToolCallThreadItem } from "@unroll/protocol";
import type { AgentAnswer, AgentCall, AgentTask } from "@unroll/tools";
import type { ChildTurn } from "./agent-ports.ts";
import type { AgentPlace } from "./agent-worktree.ts";
import { type AgentReport, describeAgent, renderReport } from "./agent-words.ts";
import type { RestoredAgent } from "./restore-agents.ts";

/** A sub-agent, as the thread that started it knows it. */
export interface Agent<Child> {
  /** Null: the program started it, and the model does not get its reports. */
  readonly callId: string | null;
  readonly name: string;
  progress: AgentProgress;
  /** Null: not open here. */
  thread: Child | null;
  /** Whether its cost is known. */
  isPriced: boolean;
  /** Null: it has no worktree, or is not open here. */
  place: AgentPlace | null;
  /** Null: it does not run. */
  run: AgentRun | null;
  /** Another turn of it is about to begin; null: none is. */
  continuing: Promise<unknown> | null;
  /** Null: no turn of it ended here. */
  report: AgentReport | null;
  /** Whether an item has shown its last report. */
  isShown: boolean;
  /** Whether the model knows its last end. */
  isReported: boolean;
  /** It was cut off with its process: how many of its turns were saved. Null: it was not, or it continued since. */
  cutTurns: number | null;
  isCutTold: boolean;
  /** The item that shows it, until its turn has ended: of its call, or of its own if it continues. */
  item: ToolCallThreadItem | null;
  /** Null: the call is over. */
  emit: AgentCall["emit"] | null;
  /** In ms since 1970. */
  startedAt: number;
  /** The same by the clock that nobody sets, in ms: what its time is counted from. */
  startedAfter: number;
}

/** A turn of a sub-agent. */
interface AgentRun {
  readonly stop: AbortController;
  /** To be awaited behind `ended`: its result. */
  readonly turn: ChildTurn;
  readonly ended: Promise<void>;
}

/** One that is not open. If its call had no output yet, that will tell how it ended. */
export function toAgent({ callId, progress, report, cutTurns, hasOutput }: RestoredAgent): Agent<never> {
  const unopened = {
    thread: null,
    isPriced: false,
    place: null,
    run: null,
    continuing: null,
    item: null,
    emit: null,
    startedAt: 0,
    startedAfter: 0,
  } as const;
  const isReported = cutTurns === null && (report === null || !hasOutput);
  const untold = { report, isShown: false, isReported, cutTurns, isCutTold: !hasOutput };
  return { callId, name: progress.name, progress, ...unopened, ...untold };
}

/** A name that no other sub-agent of the thread has. */
export function nameAgent({ name, role }: AgentTask, others: ReadonlySet<string>): string {
  const base = (name ?? role ?? "agent").replaceAll(/\s+/g, " ").trim();
  if (name !== null && !others.has(base)) return base;
  let number = name === null ? 1 : 2;
  while (others.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}

/** The answer of a call about a sub-agent that does not run. */
export function answerEnded(agent: Agent<unknown>): AgentAnswer {
  const { report, progress, item } = agent;
  if (report === null) return { output: `${describeAgent(progress)}: ${progress.state}`, fault: null };
  agent.item = null;
  const fault = report.state === "completed" ? null : report.text;
  const status = fault === null ? "completed" : "failed";
  const output = renderReport(progress, report);
  if (item === null) return { output, fault };
  agent.isShown = true;
  return { output, fault, item: { ...item, agent: progress, status, ...(fault !== null && { reason: fault }) } };
}
