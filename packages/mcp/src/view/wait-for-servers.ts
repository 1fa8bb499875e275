import type { SupervisedServer } from "../server/supervised-server.ts";

/** How long a thread waits for servers to be ready. */
export interface McpWaitOptions {
  /** In ms: how long to wait for servers that are not required. */
  readonly graceMs: number;
  /** Waits for all servers, up to their own timeouts. */
  readonly waitForAll: boolean;
  readonly signal: AbortSignal;
}

/**
 * Waits until the required servers are up and the others have had their grace. Ends early if a
 * required one fails or the signal aborts. Leaves no timer behind.
 */
export async function waitForServers(
  servers: readonly SupervisedServer[],
  options: McpWaitOptions & Pick<SupervisedServer, "sleep">,
): Promise<void> {
  const { graceMs, waitForAll, signal, sleep } = options;
  const required = servers.filter(({ settings }) => settings.required);
  const over = new AbortController();
  const wokenUp = Promise.withResolvers<void>();
  const wakeUp = (): void => wokenUp.resolve();
  for (const { started } of required) started.then(({ type }) => type === "failed" && wakeUp()).catch(wakeUp);
  signal.addEventListener("abort", wakeUp, { once: true });
  if (signal.aborted) wakeUp();

  const everybody = Promise.all(servers.map(({ started }) => started));
  const others = Promise.race([everybody, ...(waitForAll ? [] : [sleep(graceMs, over.signal)])]);
  try {
    await Promise.race([wokenUp.promise, Promise.all([others, ...required.map(({ started }) => started)])]);
  } finally {
    over.abort();
    signal.removeEventListener("abort", wakeUp);
  }
}
