import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openThreadHost, runServer } from "@unroll/thread-host";
import { createIgnoredReport } from "@unroll/thread-host/wire";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { toShownText } from "@unroll/text";
import { createAgentServer } from "./agent-server.ts";
import { createAgentThreads } from "./thread/agent-threads.ts";
import type { CallClient } from "./thread/call-client.ts";
import { createLineTransport } from "./wire/line-transport.ts";

/**
 * The options of the `unroll mcp-server` command line: they apply to all threads, and a call's own options override
 * them.
 */
export interface McpServerOptions extends ProgramFlags {
  /** The version of the program, as clients see it. */
  readonly version: string;
}

/** As `runMcpServer` says. */
export function serve({ version, ...flags }: McpServerOptions, io: ProcessIo): Promise<number> {
  return runServer(io, async (interruption) => {
    io.stdout.stream.on("error", (error: Error) => interruption.outputBroken(error));
    const ending = new AbortController();
    const signal = AbortSignal.any([interruption.signal, ending.signal]);
    await using threadHost = openThreadHost<CallClient>({ io, flags, name: "unroll_mcp_server", signal });
    await threadHost.loadConfig(null); // reports faults of the config at once, and not to a model
    const transport = createLineTransport({ input: io.stdin.stream, output: io.stdout.stream });
    const notice = (text: string): void => void io.stderr.stream.write(`unroll: ${toShownText(text)}\n`);
    const threads = createAgentThreads({ threadHost, hasPerson: () => agent.hasPerson(), notice });
    const report = createIgnoredReport();
    const ignored = (tool: string, places: readonly string[]): void => {
      const message = report(tool, places);
      if (message !== null) notice(message);
    };
    const agent = createAgentServer({ version, threads, clock: io, ignored, signal });
    const link = serveStdio(agent.open, { transport });
    await Promise.race([transport.ended, aborted(interruption.signal)]);
    ending.abort();
    await transport.answered();
    await agent.settled();
    await link.close();
    io.stdin.stream.destroy();
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
