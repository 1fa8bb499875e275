import type { FoundServer } from "./found-server.ts";

/**
 * Looks who listens at these ports of 127.0.0.1: one `GET /v1/models` each, side by side, with no credential, through no proxy, after
 * no redirect, for at most 300 ms. What does not answer as a server of models does is left out. Nobody is used by this.
 */
export async function findLocalServers(ports: readonly number[], signal: AbortSignal): Promise<readonly FoundServer[]> {
  const { lookForServers } = await import("./look-for-servers.ts");
  return lookForServers(ports, signal);
}
