import type { ProcessIo } from "@unroll/program";
import type { AppServerOptions } from "./app-server-options.ts";

/**
 * Serves until its input ends, or a signal comes. Returns the exit code: 0 the input ended, 2 the command line or the config is
 * wrong, 128 + N stopped by signal N. All of it is loaded only now.
 */
export async function runAppServer(options: AppServerOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
