import { type JournalEntry, replayThread, type ThreadEvent } from "@unroll/protocol";
import { type Cell, emptyThreadView, reduceThread, takeFinished } from "@unroll/view";
import type { LawBook } from "./law-book.ts";

/** Holds what was shown of turns while they ran against what their thread shows when it is read again. */
export interface HistoryLaws {
  /** A turn was read to its end. */
  keep(events: readonly ThreadEvent[]): void;
  /** The thread is read again. */
  check(entries: readonly JournalEntry[]): void;
}

export function createHistoryLaws(book: LawBook): HistoryLaws {
  const shown = new Map<string, string>();
  return {
    keep(events) {
      for (const [id, cells] of foldTurns(events)) shown.set(id, cells);
    },
    check(entries) {
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
function foldTurns(events: Iterable<ThreadEvent>): ReadonlyMap<string, string> {
  const turns = new Map<string, string>();
  let [view, turnId] = [emptyThreadView, ""];
  let cells: Cell[] = [];
  for (const event of events) {
    if (event.type === "turn.started") {
      [view, turnId] = [emptyThreadView, event.turn_id];
      cells = [];
    }
    const taken = takeFinished(reduceThread(view, event));
    view = taken.view;
    cells.push(...taken.finished.filter(isKept));
    if (event.type === "turn.completed" || event.type === "turn.failed")
      turns.set(turnId, cells.map(toLine).join("\n"));
  }
  return turns;
}

/** Warnings, and news of servers and of the window, only pass. */
function isKept(cell: Cell): boolean {
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
  return JSON.stringify(cell.type === "item" ? { key, ...rest } : rest);
}
