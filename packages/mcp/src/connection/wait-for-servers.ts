import { setTimeout as delay } from "node:timers/promises";
import type { McpWaitOptions } from "../mcp-connections.ts";
import type { ServerConnection } from "./server-connection.ts";

/**
 * Waits until the required servers are up and the others have had their grace; no longer than until a required one has
 * failed, or the signal aborts. Leaves no timer behind.
 */
export async function waitForServers(connections: readonly ServerConnection[], options: McpWaitOptions): Promise<void> {
  const { graceMs, waitForAll, signal } = options;
  const required = connections.filter(({ server }) => server.required);
  const over = new AbortController();
  const wokenUp = Promise.withResolvers<void>();
  const wakeUp = (): void => wokenUp.resolve();
  for (const { started } of required) void started.then(({ type }) => type === "failed" && wakeUp());
  signal.addEventListener("abort", wakeUp, { once: true });
  if (signal.aborted) wakeUp();

  const everybody = Promise.all(connections.map(({ started }) => started));
  const grace = waitForAll ? [] : [delay(graceMs, undefined, { signal: over.signal }).catch(() => {})];
  const others = Promise.race([everybody, ...grace]);
  try {
    await Promise.race([wokenUp.promise, Promise.all([others, ...required.map(({ started }) => started)])]);
  } finally {
    over.abort();
    signal.removeEventListener("abort", wakeUp);
  }
}
