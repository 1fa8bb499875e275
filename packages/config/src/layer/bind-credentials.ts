import { isDeepStrictEqual } from "node:util";
import { type ConfigWarning, formatOrigin } from "../config-error.ts";
import type { ConfigTable, McpServerTable } from "../keys/config-table.ts";
import { formatKey } from "../toml/table.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** Keys that read a variable of the user's. */
const readsVariables = ["bearer_token_env_var", "env_http_headers", "env_vars"] as const;
/** Keys that say where a server is, and what it gets. */
const destinations = [
  "command",
  "args",
  "cwd",
  "env",
  "url",
  "http_headers",
  "oauth",
  "scopes",
  ...readsVariables,
] as const;

/** What the user's own files, profile and options say, and where the user's file is. */
interface UsersConfig {
  readonly table: ConfigTable;
  readonly file: string;
}

/**
 * A project's layer without what would send a credential of the user's where only the project says: variables for a server of
 * the project, and another place for a server of the user. What is left out is a warning.
 */
export function bindCredentials(layer: ConfigLayer, user: UsersConfig): ConfigLayer {
  const { mcp_servers: servers } = layer.table;
  if (servers === undefined) return layer;
  const warnings: ConfigWarning[] = [];
  const bound = Object.entries(servers).map(([id, table]) => {
    const own = user.table.mcp_servers?.[id];
    const ignored = own === undefined ? listVariables(table) : listMoved(table, own);
    for (const key of ignored) {
      const path = ["mcp_servers", id, ...key.split(".")];
      const origin = layer.locate(path);
      const reason =
        own === undefined
          ? `a project may not send your variables. To allow it, write [${formatKey(["mcp_servers", id])}] into ${user.file}`
          : `${user.file} says where this server is and what it gets`;
      const message = `${formatOrigin(origin)}: ${formatKey(path)} is ignored: ${reason}.`;
      warnings.push({ code: "key_ignored_in_project", message, key: formatKey(path), origin });
    }
    return [id, without(table, ignored)] as const;
  });
  const table = { ...layer.table, mcp_servers: Object.fromEntries(bound) };
  return { ...layer, table, warnings: [...layer.warnings, ...warnings] };
}

function listVariables(table: McpServerTable): readonly string[] {
  const secret = table.oauth?.client_secret_env_var === undefined ? [] : ["oauth.client_secret_env_var"];
  return [...readsVariables.filter((key) => table[key] !== undefined), ...secret];
}

function listMoved(table: McpServerTable, own: McpServerTable): readonly string[] {
  return destinations.filter((key) => table[key] !== undefined && !isDeepStrictEqual(table[key], own[key]));
}

function without(table: McpServerTable, ignored: readonly string[]): McpServerTable {
  const kept = Object.fromEntries(Object.entries(table).filter(([key]) => !ignored.includes(key)));
  if (!ignored.includes("oauth.client_secret_env_var")) return kept;
  const { client_secret_env_var: _secret, ...oauth } = table.oauth ?? {};
  return { ...kept, oauth };
}
