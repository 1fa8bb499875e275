import type { WireTurn } from "@unroll/app-server-protocol";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import type { LiveThread } from "../thread/threads.ts";
import type { MethodContext } from "./method.ts";

/** The turns of a thread, open or saved. Throws if there is no such thread. */
export async function readTurns(threadId: string, { threadHost, io }: MethodContext): Promise<readonly WireTurn[]> {
  const live = threadHost.threads.get(threadId);
  if (live !== undefined) return readLiveTurns(live);
  const stored = await threadHost.load(threadId);
  return toStoredTurns(stored.entries, io.cwd);
}

/** The turns of an open thread: the last one may run. */
export async function readLiveTurns(live: LiveThread): Promise<readonly WireTurn[]> {
  const turns = toStoredTurns(await live.entries(), live.config.cwd);
  const runningId = live.isRunning ? live.client.teller.turnId : null;
  return turns.map((turn) => (turn.id === runningId ? { ...turn, status: "inProgress" as const } : turn));
}
