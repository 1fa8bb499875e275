import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "../host/host.ts";
import { createMcpVariables } from "./mcp-variables.ts";

/** For a person: the variables that servers ask for and do not get, because a credential of the harness is in them. */
export function warnOfVariables(config: ResolvedConfig, host: Pick<Host, "env">): readonly string[] {
  const variables = createMcpVariables(config, host);
  return config.mcpServers.flatMap((server) => {
    if (server.type === "http" || !server.enabled) return [];
    const environment = variables.programEnvironment(server);
    const refused = server.envVars.filter((name) => host.env[name] !== undefined && !(name in environment));
    return refused.map(
      (name) =>
        `The MCP server ${server.id} does not get ${name}, which holds a credential of unroll. If it needs one, give it a key of its own in mcp_servers.${server.id}.env.`,
    );
  });
}
