import type { SavedAgent } from "@unroll/accounting";
import { type JournalEntry, listStoredTurns } from "@unroll/protocol";

interface AgentsQuery {
  /** The entries of a saved thread; rejects if it cannot be read. */
  readonly load: (threadId: string) => Promise<readonly JournalEntry[]>;
  /** Whether to leave out those of undone turns. */
  readonly keptOnly: boolean;
}

interface AgentsPlace {
  /** The names of those above, each with ` / ` behind it. */
  readonly above: string;
  readonly seen: Set<string>;
}

/** The sub-agents of a thread, each before its own. */
export async function* loadAgents(
  entries: readonly JournalEntry[],
  query: AgentsQuery,
  { above, seen }: AgentsPlace = { above: "", seen: new Set() },
): AsyncGenerator<SavedAgent, void> {
  const kept = query.keptOnly ? new Set(listStoredTurns(entries).map(({ id }) => id)) : null;
  let isKept = true;
  for (const entry of entries) {
    if (entry.type === "turn.started") isKept = kept?.has(entry.turnId) ?? true;
    if (entry.type !== "agent.started" || !isKept || seen.has(entry.childId)) continue;
    const { childId: threadId } = entry;
    seen.add(threadId);
    const own = await query.load(threadId).catch(() => null); // a thread without a turn is not saved
    const name = `${above}${entry.name}`;
    yield { threadId, name, entries: own };
    if (own !== null) yield* loadAgents(own, query, { above: `${name} / `, seen });
  }
}
