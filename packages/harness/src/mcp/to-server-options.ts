import { listSecretValues, type McpServerConfig, type ResolvedConfig } from "@unroll/config";
import type { McpHttpServerOptions, McpServerOptions, SecretText } from "@unroll/mcp";
import { filterEnvironment, type ShellEnvironmentPolicy } from "@unroll/sandbox";
import type { HostEnvironment } from "../host/host-environment.ts";

type HttpServer = Extract<McpServerConfig, { readonly type: "http" }>;
type Environment = HostEnvironment["env"];

/**
 * A server of the config with its variables looked up. A program gets what any program needs (PATH, HOME, …) and what its
 * own table names; never a credential of the harness.
 */
export function toServerOptions(
  server: McpServerConfig,
  config: ResolvedConfig,
  { env }: Pick<HostEnvironment, "env">,
): McpServerOptions {
  if (server.type === "http") return toHttpServer(server, env);
  const credentials = { names: config.secretNames, values: listSecretValues(config, env) };
  const named = Object.fromEntries(server.envVars.map((name) => [name, env[name]]));
  return {
    ...server,
    cwd: server.cwd ?? config.cwd,
    inheritedEnv: {
      ...filterEnvironment(env, { ...everything, inherit: "core" }, credentials),
      ...filterEnvironment(named, { ...everything, ignoreDefaultExcludes: true }, credentials),
    },
  };
}

/** `bearer_token_env_var` and `env_http_headers` are its own credentials, so they are looked up as they are. */
export function toHttpServer(server: HttpServer, env: Environment): McpHttpServerOptions {
  const fromEnv = Object.entries(server.envHttpHeaders).flatMap(([header, name]): [string, SecretText][] => {
    const value = readVariable(env, name);
    return value === null ? [] : [[header, value]];
  });
  return {
    ...server,
    headers: { ...server.httpHeaders, ...Object.fromEntries(fromEnv) },
    bearerToken: server.bearerTokenEnvVar === null ? null : readVariable(env, server.bearerTokenEnvVar),
  };
}

/** Null where it is unset or blank. */
function readVariable(env: Environment, name: string): SecretText | null {
  const value = env[name]?.trim() ?? "";
  return value === "" ? null : { reveal: () => value };
}

const everything: ShellEnvironmentPolicy = {
  inherit: "all",
  ignoreDefaultExcludes: false,
  exclude: [],
  set: {},
  includeOnly: [],
};
