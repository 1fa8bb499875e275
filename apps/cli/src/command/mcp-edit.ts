import { join } from "node:path";
import { ConfigError, type McpServerTable, resolveCodexHome } from "@unroll/config";
import { addMcpServer, removeMcpServer } from "@unroll/config/upkeep";
import type { ProcessIo } from "@unroll/program";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll mcp add`. */
export interface AddFlags {
  /** `K=V` each. */
  readonly env?: readonly string[];
  readonly url?: string;
  readonly bearerTokenEnvVar?: string;
  readonly oauthClientId?: string;
  readonly oauthClientSecretEnvVar?: string;
}

/** A server to add. */
interface AddedServer extends AddFlags {
  readonly name: string;
  /** Empty: a server with `url`. */
  readonly command: readonly string[];
}

/** Returns the exit code. Throws if the server cannot be added. */
export async function addServer(server: AddedServer, { io, print }: CommandRun): Promise<number> {
  const { name } = server;
  const message = findFault(server);
  if (message !== null) throw new ConfigError({ code: "mcp_server_invalid", message });
  const file = toFile(io);
  await addMcpServer(file, name, toTable(server));
  await print(`Added the MCP server ${name} to ${file}. Test it with unroll mcp test ${name}.`);
  return 0;
}

/** Returns the exit code. Throws if the server is not there or cannot be removed. */
export async function removeServer(name: string, { io, print }: CommandRun): Promise<number> {
  const file = toFile(io);
  if (!(await removeMcpServer(file, name))) {
    const message = `There is no MCP server ${name} in ${file}. unroll mcp list shows the servers of all config files.`;
    throw new ConfigError({ code: "mcp_server_invalid", message });
  }
  await print(`Removed the MCP server ${name} from ${file}.`);
  return 0;
}

function toFile({ env, cwd }: ProcessIo): string {
  return join(resolveCodexHome(env, cwd), "config.toml");
}

const urlFlags = [
  ["bearerTokenEnvVar", "--bearer-token-env-var"],
  ["oauthClientId", "--oauth-client-id"],
  ["oauthClientSecretEnvVar", "--oauth-client-secret-env-var"],
] as const;

function findFault(options: AddedServer): string | null {
  const { name, command, env = [], url } = options;
  if (!/^[\w-]+$/.test(name)) return `"${name}" is not a valid server name: use letters, digits, - and _.`;
  if ((command.length === 0) === (url === undefined)) {
    return `Give either a program (unroll mcp add ${name} -- COMMAND ARGS) or an address (--url).`;
  }
  if (url !== undefined && env.length > 0)
    return "--env only works with a program: a server with --url has no environment.";
  const stray = urlFlags.find(([key]) => url === undefined && options[key] !== undefined);
  if (stray !== undefined) return `${stray[1]} only works with --url.`;
  if (options.oauthClientSecretEnvVar !== undefined && options.oauthClientId === undefined)
    return "--oauth-client-secret-env-var needs --oauth-client-id.";
  const bad = env.findIndex((pair) => pair.indexOf("=") < 1);
  return bad === -1 ? null : `--env number ${bad + 1} is not KEY=VALUE.`;
}

function toTable(options: AddedServer): McpServerTable {
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

function toOAuth({ oauthClientId: id, oauthClientSecretEnvVar: secret }: AddedServer): McpServerTable {
  if (id === undefined) return {};
  return { oauth: { client_id: id, ...(secret !== undefined && { client_secret_env_var: secret }) } };
}
