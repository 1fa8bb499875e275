import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "../host/host-environment.ts";
import { toServerOptions } from "./to-server-options.ts";

/** For a person: the variables that servers ask for and do not get, because a credential of the harness is in them. */
export function warnOfVariables(config: ResolvedConfig, host: Pick<HostEnvironment, "env">): readonly string[] {
  return config.mcpServers.flatMap((server) => {
    const options = toServerOptions(server, config, host);
    if (server.type === "http" || options.type === "http" || !server.enabled) return [];
    const refused = server.envVars.filter((name) => host.env[name] !== undefined && !(name in options.inheritedEnv));
    return refused.map(
      (name) =>
        `The MCP server ${server.id} does not get ${name}, which holds a credential of unroll. If it needs one, give it a key of its own in mcp_servers.${server.id}.env.`,
    );
  });
}
