import type { ProcessIo } from "@unroll/program";
import type { McpServerOptions } from "./mcp-server-options.ts";

/**
 * Serves one client on stdin and stdout until its input ends, or a signal comes. Returns the exit code: 0 the input ended, 1 stdout
 * broke, 128 + N stopped by signal N. All of it is loaded only now.
 */
export async function runMcpServer(options: McpServerOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
