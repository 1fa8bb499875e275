import type { Notice, SessionUpdate } from "@agentclientprotocol/sdk";
import type { ThreadEvent } from "@unroll/protocol";
import { groupDigits } from "@unroll/text";
import type { ClientOffers } from "./client-offers.ts";

/** What an event says to the person beside the conversation; null: nothing. */
export function toNotice(event: ThreadEvent): Notice | null {
  switch (event.type) {
    case "warning":
      return { severity: "warning", title: event.message };
    case "events.skipped":
      return { severity: "warning", title: `${event.count} events were left out.` };
    case "stream.retrying": {
      const { attempt, max_attempts: most, cause } = event;
      return { severity: "info", title: `The request is sent again (${attempt} of ${most}): ${cause.message}` };
    }
    case "compaction.started":
      return { severity: "info", title: `The conversation is being shortened: ${event.cause}.` };
    case "compaction.completed": {
      const [before, after] = [groupDigits(event.tokens_before), groupDigits(event.tokens_after)];
      return { severity: "info", title: `The conversation is shorter: about ${after} tokens of ${before}.` };
    }
    case "mcp.server_updated": {
      const { server, state } = event;
      return state.type === "failed" ? { severity: "warning", title: `MCP server ${server}: ${state.message}` } : null;
    }
    case "item.completed":
      return event.item.type === "error" ? { severity: "warning", title: event.item.message } : null;
    case "thread.started":
    case "turn.started":
    case "turn.completed":
    case "turn.failed":
    case "item.started":
    case "item.updated":
    case "item.delta":
    case "request.completed":
    case "question.asked":
    case "question.answered":
    case "epoch.opened":
    case "budget.updated":
    case "mcp.tool_adapted":
      return null;
  }
}

/** A client that shows no notices gets them as a message of the agent's; that a request is sent again is left out there. */
export function tellNotice(notice: Notice, { notices }: Pick<ClientOffers, "notices">): SessionUpdate {
  if (notices) return { sessionUpdate: "notice", ...notice };
  const text = `${notice.severity === "warning" ? "Warning: " : ""}${notice.title}\n\n`;
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}
