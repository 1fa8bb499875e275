import type { ResolvedServer } from "../settings/resolved-server.ts";
import type { ServerLink } from "../transport/open-transport.ts";
import { type ServerProcessOptions, startServerProcess } from "../transport/stdio/server-process.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionOptions } from "./open-connection.ts";

type StartOptions = Omit<ConnectionOptions, "negotiation"> & ServerProcessOptions;

/** Starts and greets a server. The SDK is loaded while the process starts. Throws `ServerFault`. */
export async function startConnection(
  server: ResolvedServer,
  options: StartOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const starting = openLink(server, options, signal); // the process starts while the SDK is loaded
  let isFirst = true;
  const next = (): Promise<ServerLink> => {
    const link = isFirst ? starting : openLink(server, options, signal);
    isFirst = false;
    return link;
  };
  const [{ openNegotiated }] = await Promise.all([import("./open-negotiated.ts"), starting]);
  return openNegotiated(next, options, signal);
}

async function openLink(server: ResolvedServer, options: StartOptions, signal: AbortSignal): Promise<ServerLink> {
  if (server.type === "http") return { type: "http", server };
  return { type: "stdio", server, process: await startServerProcess(server, options, signal) };
}
