import { join } from "node:path";
import { addMcpServer, ConfigError, type McpServerTable, removeMcpServer, resolveCodexHome } from "@unroll/config";
import type { ProcessIo } from "@unroll/program";
import { runCommand } from "../run-config-command.ts";

export interface AddServerOptions {
  readonly name: string;
  /** Empty: a server with `url`. */
  readonly command: readonly string[];
  /** `K=V` each. */
  readonly env?: readonly string[];
  readonly url?: string;
  readonly bearerTokenEnvVar?: string;
  readonly oauthClientId?: string;
  readonly oauthClientSecretEnvVar?: string;
}

/** Returns the exit code: 0 added, 2 it cannot be. */
export function addServer(options: AddServerOptions, io: ProcessIo): Promise<number> {
  return editConfig(io, async (file) => {
    const message = findFault(options);
    if (message !== null) throw new ConfigError({ code: "mcp_server_invalid", message });
    await addMcpServer(file, options.name, toTable(options));
    return `Added the MCP server ${options.name} to ${file}. unroll mcp test ${options.name} tries it.`;
  });
}

/** Returns the exit code: 0 removed, 2 it is not there or cannot be. */
export function removeServer(name: string, io: ProcessIo): Promise<number> {
  return editConfig(io, async (file) => {
    if (await removeMcpServer(file, name)) return `Removed the MCP server ${name} from ${file}.`;
    const message = `There is no MCP server ${name} in ${file}; unroll mcp list shows those of all config files.`;
    throw new ConfigError({ code: "mcp_server_invalid", message });
  });
}

function editConfig(io: ProcessIo, edit: (file: string) => Promise<string>): Promise<number> {
  return runCommand(io, async ({ print }) => {
    print(await edit(join(resolveCodexHome(io.env, io.cwd), "config.toml")));
    return 0;
  });
}

const urlFlags = [
  ["bearerTokenEnvVar", "--bearer-token-env-var"],
  ["oauthClientId", "--oauth-client-id"],
  ["oauthClientSecretEnvVar", "--oauth-client-secret-env-var"],
] as const;

function findFault(options: AddServerOptions): string | null {
  const { name, command, env = [], url } = options;
  if (!/^[\w-]+$/.test(name)) return `"${name}" is no name for a server: use letters, digits, - and _.`;
  if ((command.length === 0) === (url === undefined)) {
    return `Name a program (unroll mcp add ${name} -- COMMAND ARGS) or an address (--url), one of the two.`;
  }
  if (url !== undefined && env.length > 0)
    return "--env goes with a program only: a server with --url has no environment.";
  const stray = urlFlags.find(([key]) => url === undefined && options[key] !== undefined);
  if (stray !== undefined) return `${stray[1]} goes with --url only.`;
  if (options.oauthClientSecretEnvVar !== undefined && options.oauthClientId === undefined)
    return "--oauth-client-secret-env-var goes with --oauth-client-id.";
  const bad = env.findIndex((pair) => pair.indexOf("=") < 1);
  return bad === -1 ? null : `--env (number ${bad + 1}) is not KEY=VALUE.`;
}

function toTable(options: AddServerOptions): McpServerTable {
  const {
    command: [command = "", ...args],
    env = [],
    url,
    bearerTokenEnvVar,
  } = options;
  if (url !== undefined)
    return { url, ...(bearerTokenEnvVar && { bearer_token_env_var: bearerTokenEnvVar }), ...toOAuth(options) };
  const pairs = env.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  return { command, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: Object.fromEntries(pairs) }) };
}

function toOAuth({ oauthClientId: id, oauthClientSecretEnvVar: secret }: AddServerOptions): McpServerTable {
  if (id === undefined) return {};
  return { oauth: { client_id: id, ...(secret !== undefined && { client_secret_env_var: secret }) } };
}
