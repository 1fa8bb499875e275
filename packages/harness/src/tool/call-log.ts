import type { CallThreadItem, EndedCall, Journal, ThreadEvent } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { type CallWatch, maskStrings } from "@unroll/tools";

/** Writes down what became of each call. `secrets`: as of the tools; null: nothing is masked. */
export function createCallLog(journal: Pick<Journal, "record">, secrets: SecretMask | null): CallWatch {
  /** The calls of the items that are not over. */
  const calls = new Map<string, string>();

  function record(call: EndedCall): void {
    journal.record({ type: "call.ended", ...(secrets ? maskStrings(call, secrets.mask) : call) });
  }

  function ended(event: ThreadEvent): void {
    if (event.type !== "item.completed" || !("status" in event.item) || event.item.type === "web_search") return;
    const { item } = event;
    const callId = calls.get(item.id);
    if (callId === undefined || item.status === "in_progress") return;
    calls.delete(item.id);
    record({ callId, status: item.status, ...readEnd(item) });
  }

  return {
    told(callId, event) {
      if (event.type === "item.started" && "status" in event.item) calls.set(event.item.id, callId);
      else ended(event);
    },
    unseen: (callId) => record({ callId, status: "completed", exitCode: null, reason: null }),
    ended,
  };
}

function readEnd(item: CallThreadItem): Pick<EndedCall, "exitCode" | "reason"> {
  const exitCode = item.type === "command_execution" ? item.exit_code : null;
  const reason = item.type === "mcp_tool_call" ? item.error?.message : item.reason;
  return { exitCode, reason: reason ?? null };
}
