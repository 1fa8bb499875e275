import type { WireTurn } from "@unroll/app-server-protocol";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import type { LiveThread } from "../thread/threads.ts";
import type { MethodContext } from "./method.ts";
import { isRunningAgent } from "./read-agent.ts";

/** The turns of a thread, open or saved. Throws if there is no such thread. */
export async function readTurns(threadId: string, context: MethodContext): Promise<readonly WireTurn[]> {
  const { threadHost, io } = context;
  const live = threadHost.threads.get(threadId);
  if (live !== undefined) return readLiveTurns(live);
  const turns = toStoredTurns((await threadHost.load(threadId)).entries, { threadId, cwd: io.cwd });
  return isRunningAgent(threadId, context) ? withRunning(turns, turns.at(-1)?.id ?? null) : turns;
}

/** The turns of an open thread: the last one may run. */
export async function readLiveTurns(live: LiveThread): Promise<readonly WireTurn[]> {
  const turns = toStoredTurns(await live.entries(), { threadId: live.id, cwd: live.config.cwd });
  return withRunning(turns, live.isRunning ? live.client.teller.turnId : null);
}

function withRunning(turns: readonly WireTurn[], runningId: string | null): readonly WireTurn[] {
  return turns.map((turn) => (turn.id === runningId ? { ...turn, status: "inProgress" as const } : turn));
}
