import type { Programs } from "@unroll/process-tree";
import type { McpHttpServerConfig, McpServerConfig, McpStdioServerConfig, SecretText } from "@unroll/protocol";
import type { McpVariables } from "./mcp-variables.ts";

/** A server whose settings are looked up. */
export type ResolvedServer = ResolvedProgram | ResolvedService;

export interface ResolvedProgram extends McpStdioServerConfig {
  readonly cwd: string;
  /** Its whole environment, together with `env`. */
  readonly programs: Programs;
}

export interface ResolvedService extends McpHttpServerConfig {
  readonly headers: Readonly<Record<string, SecretText>>;
  /** Null: no token, or that of a login. */
  readonly bearerToken: SecretText | null;
}

/** `cwd`: the folder of programs that have none of their own; absolute. */
export function resolveServer(server: McpServerConfig, variables: McpVariables, cwd: string): ResolvedServer {
  if (server.type === "http") return resolveService(server, variables);
  return { ...server, cwd: server.cwd ?? cwd, programs: variables.programs(server) };
}

export function resolveService(
  server: McpHttpServerConfig,
  variables: Pick<McpVariables, "credential">,
): ResolvedService {
  const fromVariables = Object.entries(server.envHttpHeaders).flatMap(([header, name]): [string, SecretText][] => {
    const value = variables.credential(name);
    return value === null ? [] : [[header, value]];
  });
  return {
    ...server,
    headers: { ...server.httpHeaders, ...Object.fromEntries(fromVariables) },
    bearerToken: server.bearerTokenEnvVar === null ? null : variables.credential(server.bearerTokenEnvVar),
  };
}
