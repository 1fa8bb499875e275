import { runServer } from "@unroll/thread-host";
import { listenAt, readClientToken, serveClient, type TokenFlags } from "@unroll/thread-host/wire";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { openService } from "./open-service.ts";

const tokenVariable = "UNROLL_APP_SERVER_TOKEN";

/** The options of the `unroll app-server` command line. */
export interface AppServerOptions extends ProgramFlags, TokenFlags {
  /** `stdio://`, `unix://PATH` or `ws://127.0.0.1:PORT`. Absent: stdio. */
  readonly listen?: string;
  /** The same as `listen` `stdio://`. */
  readonly stdio?: true;
  /** Has no effect: unroll sends no analytics. */
  readonly analyticsDefaultEnabled?: true;
  /** The version of our release. */
  readonly version: string;
}

/** As `runAppServer` says. */
export function serve(options: AppServerOptions, io: ProcessIo): Promise<number> {
  const { listen = "stdio://", version, ...flags } = options;
  return runServer(io, async ({ signal }) => {
    const token = await readClientToken(options, io);
    await using service = openService({ io, flags, version, signal });
    await listenAt(listen, { serve: (link) => serveClient(link, service), io, signal, token, tokenVariable });
  });
}
