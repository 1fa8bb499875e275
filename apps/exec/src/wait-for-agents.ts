import type { OpenThreadOptions, Thread } from "@unroll/harness";

type Guard = NonNullable<OpenThreadOptions["guards"]>[number];

/**
 * Waits for sub-agents in the background when a turn is about to end, and lets the model read their reports. They spend
 * from the budget of the turn, and an interruption ends the wait. `thread`: null before it is open.
 */
export function createAgentGuard(thread: () => Pick<Thread, "agents"> | null): Guard {
  return {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before() {
      return { type: "go" };
    },
    // oxlint-disable-next-line require-yield -- the items of the sub-agents show the wait
    async *end(_, signal) {
      const agents = thread()?.agents ?? null;
      await agents?.untilIdle(signal);
      const [first, ...others] = agents?.takeReports() ?? [];
      return first === undefined ? { type: "end" } : { type: "continue", say: [first, ...others] };
    },
  };
}

/** The notice about sub-agents that end with the run; empty: none runs. */
export function describeStopped({ agents }: Pick<Thread, "agents">): readonly string[] {
  const running = agents.list().filter(({ state }) => state === "running");
  if (!agents.isRunning || running.length === 0) return [];
  const named = running.map(({ name, thread_id }) => `${name} (thread ${thread_id})`);
  return [`Stopped with the run: ${named.join(", ")}. Without --stop-agents, unroll waits for sub-agents.`];
}
