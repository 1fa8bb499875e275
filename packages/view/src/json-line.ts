import type { ThreadEvent } from "@unroll/protocol";
import { escapeHidden } from "@unroll/text";

/** An event as a line of `--json`, with its line break; null for live text: `item.completed` has the whole. */
export function toJsonLine(event: ThreadEvent): string | null {
  return event.type === "item.delta" ? null : `${escapeHidden(JSON.stringify(withoutDiff(event)))}\n`;
}

/** Programs have the files themselves; the diff of a patch is for people. */
function withoutDiff(event: ThreadEvent): ThreadEvent {
  if (!("item" in event) || event.item.type !== "file_change") return event;
  const { diff: _, ...item } = event.item;
  return { ...event, item };
}
