import type { McpOAuthSettings, McpServerCommon, McpServerConfig } from "@unroll/protocol";
import { ConfigError } from "../config-error.ts";
import type { McpServerTable } from "../keys/config-table.ts";
import { serverKeys } from "../keys/mcp-server-keys.ts";
import { Secret, toSecrets } from "../secret.ts";
import { formatKey } from "../toml/table.ts";
import { parseMembers } from "./parse-members.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { holdsLogin } from "./resolve-provider.ts";

const stdioKeys = ["command", "args", "env", "env_vars", "cwd"] as const;
const httpKeys = ["url", "bearer_token_env_var", "http_headers", "env_http_headers", "oauth"] as const;

/** Throws `ConfigError` (`mcp_server_invalid`) for a server that is neither a program nor an address, or both. */
export function resolveMcpServers(context: ResolveContext): readonly McpServerConfig[] {
  return Object.entries(context.table.mcp_servers ?? {}).map(([id, table]) => resolveMcpServer(context, id, table));
}

function resolveMcpServer(context: ResolveContext, id: string, table: McpServerTable): McpServerConfig {
  const { command, url } = table;
  const fault = findServerFault(table);
  if (fault !== null) {
    const key = formatKey(["mcp_servers", id]);
    throw new ConfigError({
      code: "mcp_server_invalid",
      message: `[${key}] ${fault}.`,
      key,
      origin: context.origins.get(key),
    });
  }
  const { args, envVars, cwd, ...members } = parseMembers(
    serverKeys.keys,
    { table, path: ["mcp_servers", id] },
    context,
  );
  const common: McpServerCommon = { id, ...members, toolApprovalModes: toApprovalModes(table) };
  if (url !== undefined) {
    const { origin, pathname } = new URL(url);
    return {
      type: "http",
      ...common,
      url: new Secret(url),
      address: origin + pathname,
      bearerTokenEnvVar: table.bearer_token_env_var ?? null,
      httpHeaders: toSecrets(table.http_headers),
      envHttpHeaders: table.env_http_headers ?? {},
      oauth: toOAuth(table),
    };
  }
  return {
    type: "stdio",
    ...common,
    command: command ?? "",
    args,
    env: toSecrets(table.env),
    envVars,
    cwd,
  };
}

/** Why a table is not a server, as the end of a sentence; null: it is one. */
export function findServerFault(table: McpServerTable): string | null {
  const { command, url } = table;
  if (command !== undefined && url !== undefined) return "has both command and url: remove one of them";
  if (command === undefined && url === undefined) {
    return "has neither command (a program to start) nor url (an address): add one of them";
  }
  const urlFault = url === undefined ? null : findUrlFault(URL.parse(url));
  const oauthFault = table.oauth === undefined ? null : findOAuthFault(table.oauth);
  if (oauthFault !== null) return oauthFault;
  if (urlFault !== null) return urlFault;
  const [transport, others] = url === undefined ? (["command", httpKeys] as const) : (["url", stdioKeys] as const);
  const stray = others.find((key) => table[key] !== undefined);
  return stray === undefined ? null : `has ${stray}, which does not work with ${transport}: remove it`;
}

function findOAuthFault(table: NonNullable<McpServerTable["oauth"]>): string | null {
  const { client_id: id, client_secret_env_var: secret, client_metadata_url: metadata } = table;
  if (secret !== undefined && id === undefined)
    return "has oauth.client_secret_env_var without oauth.client_id: add it";
  if (metadata === undefined) return null;
  const url = URL.parse(metadata);
  if (url?.protocol === "https:" && url.pathname !== "/") return null;
  return "has an oauth.client_metadata_url that is not an https address with a path: correct it";
}

function toOAuth({ oauth, scopes }: McpServerTable): McpOAuthSettings | null {
  if (oauth === undefined && scopes === undefined) return null;
  return {
    clientId: oauth?.client_id ?? null,
    clientSecretEnvVar: oauth?.client_secret_env_var ?? null,
    clientMetadataUrl: oauth?.client_metadata_url ?? null,
    scopes: oauth?.scopes ?? scopes ?? null,
  };
}

/** The address itself is not repeated: it may hold a password. */
function findUrlFault(url: URL | null): string | null {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return "has a url that does not start with http:// or https://: correct it";
  }
  return holdsLogin(url)
    ? "has a url with a user name or password: put the credential into a variable and name it in bearer_token_env_var or env_http_headers"
    : null;
}

function toApprovalModes({ tools }: McpServerTable): McpServerCommon["toolApprovalModes"] {
  if (tools === undefined) return {};
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, tool]) =>
      tool.approval_mode === undefined ? [] : [[name, tool.approval_mode] as const],
    ),
  );
}
