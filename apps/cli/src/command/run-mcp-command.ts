import { ConfigError, type ResolvedConfig } from "@unroll/config";
import {
  createHostEnvironment,
  loadProgramConfig,
  type ProcessIo,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { HostEnvironment } from "@unroll/harness";
import type { McpServerConfig } from "@unroll/protocol";

/** What a subcommand of `unroll mcp` works with. */
export interface McpRun {
  readonly host: HostEnvironment;
  readonly config: ResolvedConfig;
  /** A person or a program wants it to stop. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Runs a subcommand and returns its exit code; what it throws is told in one sentence. */
export async function runMcpCommand(io: ProcessIo, run: (run: McpRun) => Promise<number>): Promise<number> {
  using interruption = watchInterruption(io);
  const complain = (text: string): void => void io.stderr.stream.write(`unroll: ${text}\n`);
  try {
    const host = createHostEnvironment(io);
    const config = await loadProgramConfig({}, host);
    const print = (text: string): void => void io.stdout.stream.write(`${text}\n`);
    const code = await run({ host, config, signal: interruption.signal, print, complain });
    return interruption.exitCode ?? code;
  } catch (error) {
    const exitCode = reportFailure(error, io);
    return interruption.exitCode ?? exitCode;
  }
}

/** Throws `ConfigError`, which ends the subcommand with exit code 2, where there is none of that name. */
export function findServer(name: string, { mcpServers }: ResolvedConfig): McpServerConfig {
  const server = mcpServers.find(({ id }) => id === name);
  if (server !== undefined) return server;
  const names = mcpServers.map(({ id }) => id).join(", ");
  const known = names === "" ? "None is configured." : `The servers are: ${names}.`;
  throw new ConfigError({ code: "mcp_server_invalid", message: `There is no MCP server ${name}. ${known}` });
}
