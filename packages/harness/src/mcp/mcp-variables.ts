import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import type { McpVariables } from "@unroll/mcp";
import type { ShellEnvironmentPolicy } from "@unroll/protocol";
import { filterEnvironment } from "@unroll/sandbox";
import type { Host } from "../host/host.ts";

/**
 * What servers get of our environment. A program gets what any program needs (PATH, HOME, …) and what its own table names;
 * never a credential of the harness. What a service's headers name is its own credential, so it is looked up as it is.
 */
export function createMcpVariables(config: ResolvedConfig, { env }: Pick<Host, "env">): McpVariables {
  return {
    programEnvironment({ envVars }) {
      const credentials = { names: config.secretNames, values: listSecretValues(config, env) };
      const named = Object.fromEntries(envVars.map((name) => [name, env[name]]));
      return {
        ...filterEnvironment(env, { ...everything, inherit: "core" }, credentials),
        ...filterEnvironment(named, { ...everything, ignoreDefaultExcludes: true }, credentials),
      };
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
