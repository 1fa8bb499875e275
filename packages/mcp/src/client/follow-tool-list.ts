import type { Client } from "@modelcontextprotocol/client";
import { type Clock, longestTimerMs } from "@unroll/flow";
import { isStateless } from "./is-stateless.ts";

const pauseMs = 5000;

/**
 * Subscribes to tool changes of a stateless server, and again if it falls silent, until `signal`
 * aborts. Other servers report changes unasked. Never throws: a server without reports works as
 * before.
 */
export async function followToolList(
  client: Client,
  { signal, sleep }: Pick<Clock, "sleep"> & { readonly signal: AbortSignal },
): Promise<void> {
  if (!isStateless(client) || client.getServerCapabilities()?.tools?.listChanged !== true) return;
  while (!signal.aborted) {
    try {
      const told = await client.listen({ toolsListChanged: true }, { signal, timeout: longestTimerMs });
      if ((await told.closed) !== "remote") return;
    } catch {
      return;
    }
    await sleep(pauseMs, signal);
  }
}
