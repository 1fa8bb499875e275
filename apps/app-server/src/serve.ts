import { listenAt, serveClient } from "@unroll/line-server";
import { scrubInheritedFds } from "@unroll/process-tree";
import { exitCodes, type ProcessIo, reportFailure, watchInterruption } from "@unroll/program";
import type { AppServerOptions } from "./app-server-options.ts";
import { openService } from "./open-service.ts";

/** As `runAppServer` says. */
export async function serve(options: AppServerOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const { signal } = interruption;
  scrubInheritedFds(io.env["NODE_CHANNEL_FD"] === undefined ? [] : [Number(io.env["NODE_CHANNEL_FD"])]);
  const { listen = "stdio://", version, ...flags } = options;
  try {
    await using service = openService({ io, flags, version, signal });
    const tokenVariable = "UNROLL_APP_SERVER_TOKEN";
    await listenAt(listen, { serve: (link) => serveClient(link, service), io, signal, tokenVariable });
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    return interruption.exitCode ?? reportFailure(error, io);
  }
}
