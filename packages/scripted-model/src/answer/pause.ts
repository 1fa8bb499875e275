import { setTimeout as wait } from "node:timers/promises";

/** Waits, in ms. Rejects as soon as the connection is closed. */
export async function pause(milliseconds: number, closed: AbortSignal): Promise<void> {
  closed.throwIfAborted();
  if (milliseconds > 0) await wait(milliseconds, undefined, { signal: closed });
}
