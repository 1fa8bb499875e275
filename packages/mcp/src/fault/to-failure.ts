import type { McpFailure } from "@unroll/protocol";
import type { ResolvedServer } from "../settings/resolved-server.ts";
import { redact } from "./redact.ts";
import type { ServerFault } from "./server-fault.ts";

/**
 * Converts a fault for a caller of the package: which server, what happened, what to do; no
 * credential. `stderrTail` is added for a server that died.
 */
export function toFailure(fault: ServerFault, server: ResolvedServer, stderrTail: string): McpFailure {
  const { code, message } = fault;
  const remedy = code === "login_needed" ? `: ${describeLogin(server)}` : "";
  const lastWords = code === "server_died" && stderrTail !== "" ? ` The end of its stderr:\n${stderrTail}` : "";
  return {
    type: "failed",
    code,
    message: redact(`MCP server "${server.id}": ${message}${remedy}.${lastWords}`, server),
  };
}

function describeLogin(server: ResolvedServer): string {
  const hasToken = server.type === "http" && server.bearerToken !== null;
  return hasToken ? "the bearer token is not good, check bearer_token_env_var" : `run unroll mcp login ${server.id}`;
}
