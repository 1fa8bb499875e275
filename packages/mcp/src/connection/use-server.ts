import type { McpFailure } from "@unroll/protocol";
import { isSessionLost, ServerFault } from "../session/server-fault.ts";
import type { LiveServer } from "./live-server.ts";
import type { ServerConnection } from "./server-connection.ts";

/**
 * Makes a request of a server. It is started first where it is not up; a request that the server did not run because it
 * has forgotten the session is made once more in a new one. Nothing else is repeated: what a request did is not known.
 */
export async function useServer<Result>(
  connection: ServerConnection,
  signal: AbortSignal,
  run: (live: LiveServer) => Promise<Result>,
): Promise<Result | McpFailure> {
  try {
    const live = await startUnlessAborted(connection, signal);
    if (live.type === "failed") return live;
    try {
      return await run(live);
    } catch (error) {
      if (!(error instanceof ServerFault) || !isSessionLost(error)) throw error;
      await connection.drop(live);
      const next = await startUnlessAborted(connection, signal);
      return next.type === "failed" ? next : await run(next);
    }
  } catch (error) {
    if (error instanceof ServerFault) return connection.explain(error);
    throw error;
  }
}

/** The start itself goes on: others may wait for it. */
async function startUnlessAborted(connection: ServerConnection, signal: AbortSignal): Promise<LiveServer | McpFailure> {
  const cancelled = Promise.withResolvers<never>();
  const cancel = (): void => cancelled.reject(new ServerFault("cancelled", "it was cancelled before it was ready"));
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([connection.start(), cancelled.promise]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
