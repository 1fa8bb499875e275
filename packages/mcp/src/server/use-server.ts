import type { McpFailure } from "@unroll/protocol";
import { isForgotten, ServerFault } from "../fault/server-fault.ts";
import type { LiveServer } from "./live-server.ts";
import type { SupervisedServer } from "./supervised-server.ts";

/**
 * Makes a request to a server, and starts it first if needed. If the server did not run the request
 * because it has forgotten the connection, the request is repeated once on a new one. Nothing else
 * is repeated, because a request may have had effects.
 */
export async function useServer<Result>(
  server: SupervisedServer,
  signal: AbortSignal,
  run: (live: LiveServer) => Promise<Result>,
): Promise<Result | McpFailure> {
  try {
    const live = await startUnlessAborted(server, signal);
    if (live.type === "failed") return live;
    try {
      return await run(live);
    } catch (error) {
      if (!(error instanceof ServerFault) || !isForgotten(error)) throw error;
      await server.drop(live);
      const next = await startUnlessAborted(server, signal);
      return next.type === "failed" ? next : await run(next);
    }
  } catch (error) {
    if (error instanceof ServerFault) return server.explain(error);
    throw error;
  }
}

/** The start itself continues after an abort: others may wait for it. */
async function startUnlessAborted(server: SupervisedServer, signal: AbortSignal): Promise<LiveServer | McpFailure> {
  const cancelled = Promise.withResolvers<never>();
  const cancel = (): void => cancelled.reject(new ServerFault("cancelled", "it was cancelled before it was ready"));
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([server.start(), cancelled.promise]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
