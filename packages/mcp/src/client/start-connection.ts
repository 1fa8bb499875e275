import type { ResolvedServer } from "../settings/resolved-server.ts";
import type { ServerLink } from "../transport/open-transport.ts";
import { type ServerProcessOptions, startServerProcess } from "../transport/stdio/server-process.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionOptions } from "./open-connection.ts";

type StartOptions = ConnectionOptions & ServerProcessOptions;

/** Starts and greets a server. The SDK is loaded here, while the process starts. Throws `ServerFault`. */
export async function startConnection(
  server: ResolvedServer,
  options: StartOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const [link, { openConnection }] = await Promise.all([openLink(server, options), import("./open-connection.ts")]);
  return openConnection(link, options, signal);
}

async function openLink(server: ResolvedServer, options: StartOptions): Promise<ServerLink> {
  if (server.type === "http") return { type: "http", server };
  return { type: "stdio", server, process: await startServerProcess(server, options) };
}
