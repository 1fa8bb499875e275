import { type Clock, contain } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { AgentProgress, ThreadEvent } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { HostedThread } from "@unroll/thread-host";
import type { ClientsOfThread } from "../wire/client.ts";
import { createTurnTeller } from "./turn-teller.ts";

type Parent = Pick<HostedThread<unknown>, "agents" | "isPlanning">;

/** Shows the clients of a thread what its running sub-agents do, and those of these: as notifications of their own threads. */
export interface AgentFollower {
  /** To be called with each event of the thread. */
  see(event: ThreadEvent, thread: Parent): void;
}

export function createAgentFollower(
  group: Pick<ClientsOfThread, "tell" | "room">,
  clock: Pick<Clock, "now">,
): AgentFollower {
  const followed = new Set<string>();

  async function follow(child: Thread, { cost }: AgentProgress, { isPlanning }: Parent): Promise<void> {
    const teller = createTurnTeller(clock, null);
    for await (const { event, turnId } of child.events()) {
      const { id, config, agents, budget } = child;
      const agent = { costUsd: cost === null ? null : budget.spent.cost };
      const tell = (each: ThreadEvent): void => group.tell(teller.tell(each, { id, config, isPlanning, agent }));
      // its turn may have begun before
      if (turnId !== null && turnId !== teller.turnId && event.type !== "turn.started")
        tell({ type: "turn.started", turn_id: turnId });
      tell(event);
      follower.see(event, { agents, isPlanning });
      await group.room();
    }
  }

  const begin = contain(
    (child: Thread, agent: AgentProgress, parent: Parent) =>
      follow(child, agent, parent).finally(() => followed.delete(child.id)),
    (error) => group.tell([{ method: "warning", params: { threadId: null, message: describeThrown(error) } }]),
  );
  const follower: AgentFollower = {
    see(event, thread) {
      if (!("item" in event) || event.item.type !== "tool_call" || event.item.agent?.state !== "running") return;
      const { agent } = event.item;
      const child = thread.agents?.find(agent.thread_id) ?? null;
      if (child === null || followed.has(child.id)) return;
      followed.add(child.id);
      begin(child, agent, thread);
    },
  };
  return follower;
}
