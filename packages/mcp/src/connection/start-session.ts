import type { ServerLink, SessionOptions } from "../session/open-session.ts";
import type { McpServerOptions } from "../server-options.ts";
import type { Session } from "../session/session.ts";
import { startServerProcess } from "../stdio/server-process.ts";
import type { StopGraces, Watchdog } from "@unroll/process-tree";

export interface StartOptions extends SessionOptions {
  readonly newMarker: () => string;
  readonly graces: StopGraces;
  readonly watchdog: Watchdog;
}

/** Starts and greets a server. The SDK is loaded here, while the process starts. Throws `ServerFault`. */
export async function startSession(
  server: McpServerOptions,
  options: StartOptions,
  signal: AbortSignal,
): Promise<Session> {
  const [link, { openSession }] = await Promise.all([openLink(server, options), import("../session/open-session.ts")]);
  return openSession(link, options, signal);
}

async function openLink(server: McpServerOptions, options: StartOptions): Promise<ServerLink> {
  if (server.type === "http") return { type: "http", server };
  return { type: "stdio", server, process: await startServerProcess(server, options) };
}
