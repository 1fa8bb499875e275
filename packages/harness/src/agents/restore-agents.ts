import {
  type AgentProgress,
  findLastOutcome,
  isToolOutput,
  type JournalEntry,
  replayThread,
  type ThreadWorktree,
} from "@unroll/protocol";
import { readNote } from "../base/parse-note.ts";
import { type AgentChanges, withChanges } from "./agent-worktree.ts";
import type { AgentReport } from "./agent-words.ts";
import { noSeenTurn, reportOutcome, seeEvent, toNewProgress } from "./follow-turn.ts";

/** A sub-agent that its thread started in another process. */
export interface RestoredAgent {
  /** Null: the program started it. */
  readonly callId: string | null;
  readonly progress: AgentProgress;
  /** How it ended, if the model does not know it yet. */
  readonly report: AgentReport | null;
  /** It was cut off with its process: how many of its turns were saved; null: it was not. */
  readonly cutTurns: number | null;
  /** Whether its call had an output. */
  readonly hasOutput: boolean;
}

interface RestorePorts {
  /** The journal of a sub-agent; null: it was not saved. */
  readonly load: (threadId: string) => Promise<readonly JournalEntry[] | null>;
  /** Settles the worktree of one that has ended. */
  readonly settle: (threadId: string, noted: ThreadWorktree) => Promise<AgentChanges>;
}

/** The sub-agents in a thread's journal. */
export async function restoreAgents(
  entries: readonly JournalEntry[],
  { load, settle }: RestorePorts,
): Promise<readonly RestoredAgent[]> {
  const started = entries.filter((entry) => entry.type === "agent.started");
  if (started.length === 0) return [];
  const told = readNote(entries, "agentsTold") ?? [];
  const sent = entries.flatMap((entry) => (entry.type === "item" ? [entry.item.item] : []));
  const outputs = [...sent, ...(readNote(entries, "held") ?? [])].filter(isToolOutput);
  const answered = new Set(outputs.map(({ call_id }) => call_id));
  const restored: RestoredAgent[] = [];
  for (const { callId, childId, role, name } of started) {
    // one of the program is known from its start on
    const known = told.find(({ thread_id, state }) => thread_id === childId && state !== "running");
    const end = known
      ? { progress: known, report: null, cutTurns: null }
      : await readEnd(toNewProgress(childId, name, role), await load(childId), { load, settle });
    // the model has nothing to do with those of the program
    if (callId === null)
      restored.push({ callId, hasOutput: true, progress: end.progress, report: null, cutTurns: null });
    else restored.push({ callId, hasOutput: answered.has(callId), ...end });
  }
  return restored;
}

/** The end of a sub-agent as its own thread has it: that one is saved first. */
async function readEnd(
  begun: AgentProgress,
  entries: readonly JournalEntry[] | null,
  { load, settle }: RestorePorts,
): Promise<Pick<RestoredAgent, "progress" | "report" | "cutTurns">> {
  const outcome = findLastOutcome(entries ?? []);
  let turn = noSeenTurn;
  for (const event of replayThread(entries ?? [])) turn = seeEvent(event, turn);
  const { lastAction: last_action, tokens, cachedTokens: cached_tokens, changedFiles } = turn;
  const noted = readNote(entries ?? [], "parent")?.worktree ?? null;
  const worktree = noted && { path: noted.tree, branch: noted.branch, patch: null };
  const cost = readNote(entries ?? [], "spent")?.cost || null;
  const own = (await restoreAgents(entries ?? [], { load, settle })).map(({ progress }) => progress);
  const agents = own.length > 0 && { agents: own };
  const progress = { ...begun, last_action, tokens, cached_tokens, cost, ...(worktree && { worktree }), ...agents };
  if (outcome === null) {
    const ends = (entries ?? []).flatMap((entry) => (entry.type === "turn.ended" ? [entry.outcome] : []));
    const cutTurns = ends.filter((end) => end.type !== "interrupted" || end.isCut !== true).length;
    return { progress: { ...progress, state: "stopped" }, report: null, cutTurns };
  }
  const report = reportOutcome(outcome, changedFiles);
  const ended = { ...progress, state: report.state };
  if (noted === null) return { progress: ended, report, cutTurns: null };
  const changes = await settle(begun.thread_id, noted);
  const { changedFiles: changed, told } = changes;
  return {
    progress: withChanges(ended, changes),
    report: { ...report, changedFiles: changed, worktree: told },
    cutTurns: null,
  };
}
