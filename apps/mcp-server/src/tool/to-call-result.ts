import type { CallToolResult } from "@modelcontextprotocol/server";
import type { AgentTurn } from "./agent-call.ts";
import type { AgentTool } from "./agent-tool.ts";

/** A turn as the result of its call. A failed one also has the thread, so that it can be resumed. */
export function toCallResult(tool: AgentTool, { threadId, outcome }: AgentTurn): CallToolResult {
  const content = describe(outcome);
  return {
    content: [{ type: "text", text: content }],
    structuredContent: tool.show({ threadId, content, usage: outcome.usage }),
    ...(outcome.type === "completed" ? {} : { isError: true }),
  };
}

function describe(outcome: AgentTurn["outcome"]): string {
  switch (outcome.type) {
    case "completed":
      return outcome.finalMessage ?? "";
    case "failed":
      return outcome.error.message;
    case "interrupted":
      return "The turn was interrupted.";
  }
}
