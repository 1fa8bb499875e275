import type { ResolvedServer } from "../settings/resolved-server.ts";
import type { ServerLink } from "../transport/open-transport.ts";
import { ServerFault } from "../fault/server-fault.ts";
import { type ServerProcessOptions, startServerProcess } from "../transport/stdio/server-process.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionOptions } from "./open-connection.ts";

type StartOptions = Omit<ConnectionOptions, "negotiation"> & ServerProcessOptions;

/** Starts and greets a server. The SDK is loaded here, while the process starts. Throws `ServerFault`. */
export async function startConnection(
  server: ResolvedServer,
  options: StartOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const [link, { openConnection }] = await Promise.all([openLink(server, options), import("./open-connection.ts")]);
  const asked = { ...options, negotiation: server.type === "http" ? "auto" : "legacy" } as const;
  try {
    return await openConnection(link, asked, signal);
  } catch (error) {
    if (link.type === "http" || !isGreetingUnknown(error)) throw error;
    return openConnection(await openLink(server, options), { ...options, negotiation: "auto" }, signal);
  }
}

/** What a program says that speaks no revision with a greeting (before 2026-07-28): method not found, or version not supported. */
function isGreetingUnknown(error: unknown): boolean {
  const cause = error instanceof ServerFault ? error.cause : null;
  return cause instanceof Error && "code" in cause && (cause.code === -32601 || cause.code === -32022);
}

async function openLink(server: ResolvedServer, options: StartOptions): Promise<ServerLink> {
  if (server.type === "http") return { type: "http", server };
  return { type: "stdio", server, process: await startServerProcess(server, options) };
}
