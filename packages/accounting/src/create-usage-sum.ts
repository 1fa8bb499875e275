import { addTokenUsage, type JournalEntry, noTokenUsage, type TokenUsage } from "@unroll/protocol";

/** Adds up what a thread used, entry by entry, in their order. */
export interface UsageSum {
  readonly total: TokenUsage;
  /** Whether a request of the running turn was written down. */
  readonly isTurnTold: boolean;
  read(entry: JournalEntry): void;
}

/**
 * By the requests that were written down. A turn without any (of a file that an older version wrote) counts by what it said at
 * its end; of one that was cut off, the requests that were answered count. Requests of other programs count as those counted them. `before`: what is read at once.
 */
export function createUsageSum(before: readonly JournalEntry[] = []): UsageSum {
  const sum = { total: noTokenUsage, isTurnTold: false, read };

  function read(entry: JournalEntry): void {
    switch (entry.type) {
      case "request":
        sum.isTurnTold = true;
        if (!entry.request.isInherited) sum.total = addTokenUsage(sum.total, entry.request.usage ?? noTokenUsage);
        return;
      case "usage.counted":
        sum.isTurnTold = true;
        sum.total = addTokenUsage(sum.total, entry.usage);
        return;
      case "turn.ended":
        if (!sum.isTurnTold) sum.total = addTokenUsage(sum.total, entry.outcome.usage);
        sum.isTurnTold = false;
        return;
      case "turn.started":
        sum.isTurnTold = false;
        return;
      case "thread.opened":
      case "settings":
      case "item":
      case "agent.started":
      case "item.ended":
      case "told":
      case "call.asked":
      case "call.started":
      case "thread.rewound":
      case "epoch":
      case "epoch.undone":
      case "note":
      case "items.reserved":
        return;
    }
  }

  for (const entry of before) read(entry);
  return sum;
}
