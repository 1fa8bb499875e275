import type { ThreadEvent } from "@unroll/protocol";

/**
 * An event as the types of `@openai/codex-sdk` have it, which reads `--experimental-json`. Null: nothing is written.
 * Events without a type in that SDK are written all the same: its readers skip them.
 */
export function toSdkEvent(event: ThreadEvent): ThreadEvent | null {
  // The SDK has stopped the run itself, and throws an AbortError, unless an event makes another error of it.
  if (event.type === "turn.failed" && event.error.code === "interrupted") return null;
  if (event.type !== "item.completed") return event;
  const { item } = event;
  if (!("status" in item) || item.status !== "declined") return event;
  return { ...event, item: { ...item, status: "failed" } };
}
