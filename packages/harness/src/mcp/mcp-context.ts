import { listProjectFolders, listSecretValues, type ResolvedConfig, toMcpTokenFolder } from "@unroll/config";
import type { McpPoolOptions, McpVariables } from "@unroll/mcp";
import { openPrograms } from "@unroll/process-tree";
import type { ShellEnvironmentPolicy } from "@unroll/protocol";
import { filterEnvironment } from "@unroll/sandbox";
import type { Host } from "../host/host.ts";

/**
 * The part of our environment that servers get. A program gets the variables that every program
 * needs, such as PATH and HOME, and those that its own table names; never a credential of the
 * harness. It is searched, and searches others, outside all folders that a project can fill. A
 * variable in a service's headers is the service's own credential, so it is passed on.
 */
export function createMcpVariables(config: ResolvedConfig, { env }: Pick<Host, "env">): McpVariables {
  const projects = listProjectFolders(config);
  return {
    programs({ envVars, env: table }) {
      const credentials = { names: config.secretNames, values: listSecretValues(config, env) };
      const named = Object.fromEntries(envVars.map((name) => [name, env[name]]));
      const path = table["PATH"]?.reveal() ?? null;
      const own = {
        ...filterEnvironment(env, { ...everything, inherit: "core" }, credentials),
        ...filterEnvironment(named, { ...everything, ignoreDefaultExcludes: true }, credentials),
      };
      return openPrograms({ env: path === null ? own : { ...own, PATH: path }, cwd: config.cwd, projects });
    },
    credential(name) {
      const value = env[name]?.trim() ?? "";
      return value === "" ? null : { reveal: () => value };
    },
  };
}

const everything: ShellEnvironmentPolicy = {
  inherit: "all",
  ignoreDefaultExcludes: false,
  exclude: [],
  set: {},
  includeOnly: [],
};

/** Where logins to MCP servers are kept, as the config wants it. */
export async function openMcpTokens({
  codexHome,
  login,
}: Pick<ResolvedConfig, "codexHome" | "login">): Promise<McpPoolOptions["tokens"]> {
  const [{ openSecretStore }, { createMcpTokenStore }] = await Promise.all([
    import("@unroll/auth"),
    import("@unroll/mcp"),
  ]);
  return createMcpTokenStore(
    openSecretStore({
      codexHome,
      storage: login.mcpStorage,
      folder: toMcpTokenFolder(codexHome),
      service: "unroll MCP logins",
      setting: "mcp_oauth_credentials_store",
    }),
  );
}

/** For a person: the variables that servers ask for and do not get, because a credential of the harness is in them. */
export function warnOfVariables(config: ResolvedConfig, host: Pick<Host, "env">): readonly string[] {
  const variables = createMcpVariables(config, host);
  return config.mcpServers.flatMap((server) => {
    if (server.type === "http" || !server.enabled) return [];
    const { environment } = variables.programs(server);
    const refused = server.envVars.filter((name) => host.env[name] !== undefined && !(name in environment));
    return refused.map(
      (name) =>
        `The MCP server ${server.id} does not get ${name}, which holds a credential of unroll. If it needs one, give it a key of its own in mcp_servers.${server.id}.env.`,
    );
  });
}
