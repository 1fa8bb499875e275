import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { ThreadEvent } from "@unroll/protocol";
import type { ClientOffers } from "./client-offers.ts";

/** Tells of compactions in the protocol's own way, to clients that take it. */
export function createCompactionTeller({ compaction }: Pick<ClientOffers, "compaction">): {
  tell(event: ThreadEvent): readonly SessionUpdate[];
} {
  let count = 0;
  let isOpen = false;

  function toUpdate(status: string, summary: string | null): readonly SessionUpdate[] {
    isOpen = status === "in_progress";
    const blocks = summary === null ? {} : { summary: [{ type: "text" as const, text: summary }] };
    return [{ sessionUpdate: "compaction_update", compactionId: `compaction_${count}`, status, ...blocks }];
  }

  return {
    tell(event) {
      if (!compaction) return [];
      if (event.type === "compaction.started") {
        count += isOpen ? 0 : 1; // another attempt of the same one
        return toUpdate("in_progress", null);
      }
      if (event.type === "compaction.completed") return toUpdate("completed", event.summary);
      const isEnd = event.type === "turn.completed" || event.type === "turn.failed";
      return isOpen && isEnd ? toUpdate("failed", null) : [];
    },
  };
}
