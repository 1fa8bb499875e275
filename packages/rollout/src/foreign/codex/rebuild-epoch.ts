import type { JournalEntry, SentItem } from "@unroll/protocol";
import { countBytes, takeStart } from "@unroll/text";
import { isSaid, readMessage } from "../../line/is-said.ts";

/** 20,000 tokens, 4 bytes each. */
const saidBytes = 80_000;
const encoder = new TextEncoder();

/**
 * For a compaction, the Codex CLI (0.92) saves only the summary and builds the next input again: the items before the
 * first user message, the user messages from the newest back to a bound, and the summary. The bytes are the same
 * whenever the file is read.
 */
export function rebuildEpoch(
  before: readonly SentItem[],
  summary: string,
  earlierSummaries: ReadonlySet<string>,
): JournalEntry {
  const first = before.findIndex(({ item }) => isSaid(item));
  const opening = before
    .slice(0, first === -1 ? before.length : first)
    .filter(({ item }) => item.type === "message" && item.role !== "assistant");
  const said = before.filter(({ item }) => isSaid(item) && !earlierSummaries.has(readMessage(item)));
  return { type: "epoch", cause: summary, isFinal: false, items: [...opening, ...takeNewest(said), toSaid(summary)] };
}

/** In their order; the oldest that still has room is cut. */
function takeNewest(said: readonly SentItem[]): readonly SentItem[] {
  const taken: SentItem[] = [];
  let room = saidBytes;
  for (const sent of said.toReversed()) {
    const text = sent.item.type === "message" ? readMessage(sent.item) : "";
    if (room === 0) break;
    const bytes = countBytes(text);
    taken.unshift(bytes <= room ? sent : toSaid(takeStart(text, room)));
    room = Math.max(0, room - bytes);
  }
  return taken;
}

function toSaid(text: string): SentItem {
  const item = { type: "message", role: "user", content: [{ type: "input_text", text }] } as const;
  return { item, bytes: encoder.encode(JSON.stringify(item)) };
}
