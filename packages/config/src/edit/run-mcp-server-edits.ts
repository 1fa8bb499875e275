import { ConfigError } from "../fault/config-error.ts";

import { isTable, type Table } from "../toml/table.ts";
import { formatKey } from "../toml/key-path.ts";
import { mergeTables, nestValue, withoutValue } from "../toml/table-path.ts";
import { findServerFault } from "../resolve/resolve-mcp-servers.ts";
import { checkLayer } from "../layer/check-layer.ts";
import type { McpServerTable } from "../keys/config-table.ts";
import { addTomlTable } from "./add-toml-table.ts";
import { editConfigFile } from "./edit-config-file.ts";
import { removeTomlKey } from "./remove-toml-key.ts";

/** See `addMcpServer`. */
export async function runAddMcpServer(file: string, id: string, server: McpServerTable): Promise<void> {
  const path = ["mcp_servers", id];
  const key = formatKey(path);
  const added = nestValue(path, server);
  checkLayer({ table: added, locate: () => ({ type: "argument", name: `the server ${id}` }) });
  const fault = findServerFault(server);
  if (fault !== null) throw new ConfigError({ code: "mcp_server_invalid", message: `The server ${id} ${fault}.`, key });
  await editConfigFile(file, ({ table, text }) => {
    if (has(table, id)) {
      const message = `${file} has a [${key}] already: remove it first (unroll mcp remove), or take another name.`;
      throw new ConfigError({ code: "edit_impossible", message, key, file });
    }
    return { table: mergeTables(table, added), text: addTomlTable(text, path, { ...server }) };
  });
}

/** See `removeMcpServer`. */
export async function runRemoveMcpServer(file: string, id: string): Promise<boolean> {
  const path = ["mcp_servers", id];
  return editConfigFile(file, ({ table, text }) =>
    has(table, id) ? { table: withoutValue(table, path), text: removeTomlKey(text, path) } : null,
  );
}

function has({ mcp_servers: servers }: Table, id: string): boolean {
  return isTable(servers) && Object.hasOwn(servers, id);
}
