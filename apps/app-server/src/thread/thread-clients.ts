import type { Clock } from "@unroll/flow";
import type { TokenUsage } from "@unroll/protocol";
import type { HostedThread, ThreadClient } from "@unroll/thread-host";
import { createClientGroup } from "@unroll/thread-host/wire";
import type { ClientsOfThread } from "../wire/client.ts";
import { askClients } from "./ask-clients.ts";
import { createAgentFollower } from "./follow-agents.ts";
import { createTurnTeller, type TurnTeller } from "./turn-teller.ts";
import { toActive } from "../map/to-wire-turn.ts";

/** The clients that follow one thread. */
export interface ThreadClients extends ThreadClient {
  readonly group: ClientsOfThread;
  /** Whether a question is open. */
  readonly isAsking: boolean;
  /** Notifications beyond the events of the thread. */
  readonly teller: Omit<TurnTeller, "tell">;
}

/** `used`: the usage of the thread so far; null: none is known. */
export function createThreadClients(clock: Pick<Clock, "now" | "elapsed">, used: TokenUsage | null): ThreadClients {
  const group: ClientsOfThread = createClientGroup();
  const teller = createTurnTeller(clock, used);
  const agents = createAgentFollower(group, clock);
  let followed: HostedThread<unknown> | null = null;
  let asking = 0;

  function countAsking(more: 1 | -1): void {
    asking += more;
    if (followed?.isRunning !== true || asking > 1) return;
    const status = toActive(asking > 0);
    group.tell([{ method: "thread/status/changed", params: { threadId: followed.id, status } }]);
  }

  return {
    group,
    get isAsking() {
      return asking > 0;
    },
    teller,
    async tell(event, thread) {
      followed = thread;
      group.tell(teller.tell(event, thread));
      agents.see(event, thread);
      await group.room();
    },
    async ask(question, signal) {
      const cancel = (): void => followed?.cancel();
      countAsking(1);
      try {
        return await askClients({ group, clock, turnId: teller.turnId, cancel }, question, signal);
      } finally {
        countAsking(-1);
      }
    },
  };
}
