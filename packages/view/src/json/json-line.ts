import type { ThreadEvent } from "@unroll/protocol";
import { escapeHidden } from "@unroll/text";

/** An event as a line of `--json`, with its line break; null for live text: `item.completed` has the whole. */
export function toJsonLine(event: ThreadEvent): string | null {
  return event.type === "item.delta" ? null : `${escapeHidden(JSON.stringify(event))}\n`;
}
