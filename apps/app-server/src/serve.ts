import { exitCodes, type ProcessIo, reportFailure, watchInterruption } from "@unroll/program";
import { scrubInheritedFds } from "@unroll/process-tree";
import type { AppServerOptions } from "./app-server-options.ts";
import { openService } from "./open-service.ts";
import type { Listening } from "./listen/listening.ts";
import type { Link } from "./wire/link.ts";
import { serveClient } from "./wire/serve-client.ts";

/** As `runAppServer` says. */
export async function serve(options: AppServerOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  scrubInheritedFds(io.env["NODE_CHANNEL_FD"] === undefined ? [] : [Number(io.env["NODE_CHANNEL_FD"])]);
  const { listen = "stdio://", version, ...flags } = options;
  try {
    await using service = openService({ io, flags, version, signal: interruption.signal });
    await listenAt(listen, { service, io, signal: interruption.signal });
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    return interruption.exitCode ?? reportFailure(error, io);
  }
}

async function listenAt(listen: string, { service, io, signal }: Listening): Promise<void> {
  if (listen === "stdio://") return serveClient(toStdioLink(io, signal), service);
  const { serveSocket } = await import("./listen/serve-socket.ts");
  return serveSocket(listen, { service, io, signal });
}

/** Nobody else waits for its reader: a slow one slows its own turns down. */
function toStdioLink({ stdin, stdout }: ProcessIo, signal: AbortSignal): Link {
  const { stream } = stdin;
  signal.addEventListener("abort", () => stream.destroy(), { once: true });
  return { input: stream, output: stdout.stream, patienceMs: null, close: () => stream.destroy() };
}
