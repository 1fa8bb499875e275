import type { StoredThread } from "@unroll/protocol";
import { listAgents } from "@unroll/view";
import type { AgentNames } from "./describe-thread.ts";
import type { MethodContext } from "./method.ts";

/** Whether a sub-agent of an open thread has this thread, and runs. */
export function isRunningAgent(threadId: string, { threadHost }: Pick<MethodContext, "threadHost">): boolean {
  const agents = [...threadHost.threads.values()].flatMap((live) => live.agents?.list() ?? []);
  return listAgents(agents).some(({ agent }) => agent.thread_id === threadId && agent.state === "running");
}

/** The names of a saved sub-agent, as its parent's thread has them. */
export async function readAgentNames(
  { threadId, facts }: StoredThread,
  { threadHost }: Pick<MethodContext, "threadHost">,
): Promise<AgentNames> {
  const parentId = facts?.parent?.threadId ?? null;
  const parent = parentId === null ? null : await threadHost.load(parentId).catch(() => null); // it may be deleted
  const started = parent?.entries.find((entry) => entry.type === "agent.started" && entry.childId === threadId);
  if (started?.type !== "agent.started") return { agentNickname: null, agentRole: null };
  return { agentNickname: started.name, agentRole: started.role };
}
