import type { WireAgentState, WireItem } from "@unroll/app-server-protocol";
import { agentToolNames } from "@unroll/harness";
import type { AgentProgress, ToolCallThreadItem } from "@unroll/protocol";
import { listAgents } from "@unroll/view";

const startTools = new Set(Object.values(agentToolNames).map(([start]) => start));

/** Whether the call starts a sub-agent: `agent` names it as soon as there is one. */
export function isAgentStart({ tool }: Pick<ToolCallThreadItem, "tool">): boolean {
  return startTools.has(tool);
}

interface CalledAgent {
  readonly agent: AgentProgress;
  /** The thread of the call. */
  readonly senderThreadId: string;
}

/** A call that started a sub-agent, or a message with which one continues. */
export function toCollabCall(item: ToolCallThreadItem, { agent, senderThreadId }: CalledAgent): WireItem {
  const { arguments: given } = item;
  const isOver = item.status !== "in_progress" && item.status !== "unknown";
  const report = isOver ? (item.reason ?? item.output) : null;
  const states = listAgents([agent]).map(({ agent: each, name, parentId }): readonly [string, WireAgentState] => [
    each.thread_id,
    {
      status: statuses[each.state],
      message: each === agent ? report : null,
      name,
      role: each.role,
      parentThreadId: parentId ?? senderThreadId,
      lastAction: each.last_action,
      tokens: each.tokens,
      cachedTokens: each.cached_tokens ?? null,
      costUsd: each.cost,
    },
  ]);
  return {
    type: "collabAgentToolCall",
    id: item.id,
    tool: isAgentStart(item) ? "spawnAgent" : "sendInput",
    status: !isOver ? "inProgress" : item.status === "completed" ? "completed" : "failed",
    senderThreadId,
    receiverThreadIds: [agent.thread_id],
    prompt: readText(given, "message", "task"),
    model: readText(given, "model"),
    reasoningEffort: readText(given, "reasoning_effort", "effort"),
    agentsStates: Object.fromEntries(states),
  };
}

const statuses = { running: "running", completed: "completed", failed: "errored", stopped: "interrupted" } as const;

/** The first of these members that is a text: the tools have two styles. */
function readText(given: unknown, ...names: readonly string[]): string | null {
  const values = names.map((name): unknown => Reflect.get(Object(given), name));
  return values.find((value) => typeof value === "string") ?? null;
}
