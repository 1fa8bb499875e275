import { runServer } from "@unroll/thread-host";
import { listenAt, serveClient } from "@unroll/thread-host/wire";
import type { ProcessIo } from "@unroll/program";
import type { AppServerOptions } from "./app-server-options.ts";
import { openService } from "./open-service.ts";

const tokenVariable = "UNROLL_APP_SERVER_TOKEN";

/** As `runAppServer` says. */
export function serve(options: AppServerOptions, io: ProcessIo): Promise<number> {
  const { listen = "stdio://", version, ...flags } = options;
  return runServer(io, async ({ signal }) => {
    await using service = openService({ io, flags, version, signal });
    await listenAt(listen, { serve: (link) => serveClient(link, service), io, signal, tokenVariable });
  });
}
