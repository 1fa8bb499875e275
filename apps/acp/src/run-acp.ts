import type { ProcessIo } from "@unroll/program";
import type { AcpOptions } from "./acp-options.ts";

/**
 * Serves one editor until it closes stdin, or a signal comes. Returns the exit code: 0 stdin ended, 128 + N stopped by
 * signal N. All of it is loaded only now.
 */
export async function runAcp(options: AcpOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
