import { type JournalEntry, replayThread, type ThreadEvent } from "@unroll/protocol";
import { type Cell, emptyThreadView, reduceThread, takeFinished } from "@unroll/view";
import type { LawBook } from "./law-book.ts";

/** Holds what was shown of turns while they ran against what their thread shows when it is read again. */
export interface HistoryLaws {
  /** A turn of a thread was read to its end. */
  keep(threadId: string, events: readonly ThreadEvent[]): void;
  /** The thread could not be closed: the ends of sub-agents may not be saved. */
  forgetAgents(threadId: string): void;
  /** The thread is read again. */
  check(threadId: string, entries: readonly JournalEntry[]): void;
}

export function createHistoryLaws(book: LawBook): HistoryLaws {
  const shown = new Map<string, string>();
  /** By the id of their thread. */
  const shownAgents = new Map<string, ReadonlyMap<string, string>>();
  /** One may end in a later turn, without any other event there. */
  const background = new Map<string, Set<string>>();
  return {
    forgetAgents: (threadId) => void shownAgents.delete(threadId),
    keep(threadId, events) {
      const ids = background.get(threadId) ?? new Set();
      background.set(threadId, ids);
      for (const id of listEarlier(events)) ids.add(id);
      shownAgents.set(threadId, new Map([...(shownAgents.get(threadId) ?? []), ...listAgents(events, ids)]));
      for (const [id, cells] of foldTurns(events, ids)) shown.set(id, cells);
    },
    check(threadId, entries) {
      const agents = listAgents(replayThread(entries));
      for (const [id, line] of shownAgents.get(threadId) ?? [])
        if (agents.get(id) !== line)
          book.breach(`a sub-agent is shown otherwise than before: ${line} and ${agents.get(id)}`);
      // a fork counts nothing of what the other thread used
      const isFork = entries.some((entry) => entry.type === "request" && entry.request.isInherited);
      const toCompared = isFork ? withoutUsage : (cells: string): string => cells;
      for (const [id, cells] of foldTurns(replayThread(entries))) {
        const live = shown.get(id);
        if (live === undefined || toCompared(live) === toCompared(cells)) continue;
        // a turn that failed while the disk was full, and whose process was killed before it could write the end
        if (live.includes('"turn.failed"') && cells.includes(interrupted)) continue;
        book.breach(`turn ${id} is shown otherwise than when it ran:\n${live}\nand now\n${cells}`);
      }
    },
  };
}

/** How a turn ends whose journal has no end. */
const interrupted = '"type":"turn.failed","error":{"code":"interrupted"';

function withoutUsage(cells: string): string {
  return cells.replaceAll(/"((?:\w+_)?(?:input|output)_tokens)":\d+/g, '"$1":0');
}

/** The view at the end of each turn that ended, by the turn's id. */
function foldTurns(events: Iterable<ThreadEvent>, background = new Set<string>()): ReadonlyMap<string, string> {
  const turns = new Map<string, string>();
  let [view, turnId] = [emptyThreadView, ""];
  let cells: Cell[] = [];
  for (const event of events) {
    noteBackground(background, event);
    if (event.type === "turn.started") {
      [view, turnId] = [emptyThreadView, event.turn_id];
      cells = [];
    }
    const taken = takeFinished(reduceThread(view, event));
    view = taken.view;
    cells.push(...taken.finished.filter((cell) => isKept(cell, background)));
    if (event.type === "turn.completed" || event.type === "turn.failed") {
      const plan = cells.filter(isPlan); // it ends with its turn, beside whatever else ends just then
      turns.set(turnId, [...cells.filter((cell) => !isPlan(cell)), ...plan].map(toLine).join("\n"));
    }
  }
  return turns;
}

function isPlan(cell: Cell): boolean {
  return cell.type === "item" && cell.item.type === "todo_list";
}

/** The items of sub-agents that worked in the background, which end in a turn, or behind it, by their ids. */
function listAgents(events: Iterable<ThreadEvent>, background = new Set<string>()): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const event of events) {
    noteBackground(background, event);
    if (event.type === "item.completed" && event.item.type === "tool_call" && background.has(event.item.id))
      found.set(event.item.id, JSON.stringify(event.item));
  }
  return found;
}

/** The calls that end in a turn which did not start them: nobody read the other one to its end, or it could not be saved. */
function listEarlier(events: readonly ThreadEvent[]): readonly string[] {
  const started = new Set(events.flatMap((event) => (event.type === "item.started" ? [event.item.id] : [])));
  return events.flatMap((event) => {
    const isCall = event.type === "item.completed" && event.item.type === "tool_call";
    return isCall && !started.has(event.item.id) ? [event.item.id] : [];
  });
}

/** An item with an output that does not end yet. Another process gives its id again, if a kill cut it off. */
function noteBackground(ids: Set<string>, event: ThreadEvent): void {
  if (event.type === "item.started") ids.delete(event.item.id);
  if (event.type === "item.updated" && event.item.type === "tool_call" && event.item.output !== null)
    ids.add(event.item.id);
}

/** Warnings, and news of servers and of the window, only pass. */
function isKept(cell: Cell, background: ReadonlySet<string>): boolean {
  if (cell.type === "item" && cell.item.type === "tool_call" && background.has(cell.item.id)) return false;
  return cell.type !== "notice" || !passing.includes(cell.event.type);
}

const passing: readonly ThreadEvent["type"][] = [
  "warning",
  "mcp.server_updated",
  "mcp.tool_adapted",
  "context_window.updated",
  "events.skipped",
];

/** Keys of notices count those that passed, too. */
function toLine(cell: Cell): string {
  const { key, ...rest } = cell;
  // a turn that is shown again has no sub-agents
  if (cell.type === "notice" && "agents" in cell.event) {
    const { agents: _, ...event } = cell.event;
    return JSON.stringify({ ...rest, event });
  }
  return JSON.stringify(cell.type === "item" ? { key, ...rest } : rest);
}
