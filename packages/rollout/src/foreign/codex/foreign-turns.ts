import { type JournalEntry, noTokenUsage, readAuthor } from "@unroll/protocol";
import type { TaskLine } from "../../line/parse-task.ts";

/** Gives the turns of the Codex CLI their entries, for programs that show a thread. Turns of ours pass through. */
export interface ForeignTurns {
  /** The entries to be put in front of this one. */
  before(entry: JournalEntry, at: LineTime): readonly JournalEntry[];
  /** The entries of a line about a task. */
  readTask(task: TaskLine, at: LineTime): readonly JournalEntry[];
  /** The entries behind a compaction of another program. */
  compacted(summary: string): readonly JournalEntry[];
  /** Those behind the last line. */
  end(): readonly JournalEntry[];
}

/** In ms since 1970; null: the line has none. */
type LineTime = number | null;

/**
 * By the tasks that a file has, as of 0.169, or else by your messages, of which each begins a turn. In threads that we
 * started, messages outside of turns begin none.
 */
export function createForeignTurns(threadId: string): ForeignTurns {
  let count = 0;
  let [isInOwn, isOurs] = [false, false];
  /** The open turn of another program. */
  let open: { readonly turnId: string; readonly isTask: boolean } | null = null;

  function start(turnId: string | null, at: LineTime): readonly JournalEntry[] {
    count += 1;
    open = { turnId: turnId ?? `${threadId}_${count}`, isTask: turnId !== null };
    return [{ type: "turn.started", turnId: open.turnId, ...(at !== null && { at }) }];
  }

  /** `at` null: when it ended is not known. */
  function close(type: "completed" | "interrupted", at: LineTime = null): readonly JournalEntry[] {
    if (open === null) return [];
    const { turnId } = open;
    open = null;
    const usage = noTokenUsage;
    const outcome = type === "completed" ? { type, finalMessage: null, usage } : { type, usage };
    return [{ type: "turn.ended", turnId, outcome, nextItem: 0, ...(at !== null && { at }) }];
  }

  return {
    before(entry, at) {
      if (entry.type === "thread.opened") isOurs ||= entry.head !== null;
      if (entry.type === "turn.started") {
        isInOwn = true;
        return close("completed");
      }
      if (entry.type === "turn.ended") isInOwn = false;
      if (entry.type !== "item" || isInOwn || isOurs || open?.isTask === true) return [];
      return readAuthor(entry.item.item).type === "user" ? [...close("completed"), ...start(null, at)] : [];
    },
    readTask(task, at) {
      if (isInOwn) return [];
      return task.type === "started" ? [...close("interrupted"), ...start(task.turnId, at)] : close(task.type, at);
    },
    compacted(summary) {
      if (open === null) return []; // of ours, which has an event of its own
      const counts = { tokens_before: 0, tokens_after: 0 };
      return [{ type: "told", event: { type: "compaction.completed", method: "local", ...counts, summary } }];
    },
    end: () => (open?.isTask === true ? [] : close("completed")),
  };
}
