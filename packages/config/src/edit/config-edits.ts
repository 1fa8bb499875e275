import { dirname, resolve } from "node:path";
import { checkHiddenPaths } from "../check/check-hidden-paths.ts";
import { ConfigError, type ConfigWarning } from "../config-error.ts";
import { toKnownPath } from "../explain-config.ts";
import type { McpServerTable } from "../keys/config-table.ts";
import { checkLayer } from "../layer/check-layer.ts";
import { parseConfigFile } from "../layer/parse-config-file.ts";
import { parseKey } from "../layer/parse-key.ts";
import { parseTypedValue } from "../layer/parse-override.ts";
import { readConfigText } from "../layer/read-config-file.ts";
import { findServerFault } from "../resolve/resolve-mcp-servers.ts";
import { mergeTables, nestValue, valueAt, withoutValue, isTable, type Table, formatKey } from "../toml/table.ts";
import { type ConfigEdit, editConfigFile, changeFile } from "./edit-config-file.ts";
import { addTomlTable, removeTomlKey, setTomlValue } from "./edit-toml.ts";

/**
 * Sets a key of a config file: replaces the present value, or adds the key where it belongs.
 * Comments, order and line ends stay. `key` is dotted, as in `ConfigOverride`; `text` is TOML,
 * otherwise it counts as a string. A missing file is created. Throws `ConfigError`: `key_unknown`
 * for an unknown key, `value_invalid` for a wrong value, `file_locked`, `edit_impossible` when only
 * you can change the file, and the errors of an unreadable file. Then nothing is written.
 */
export async function setConfigKey(file: string, key: string, text: string): Promise<void> {
  await editConfigKeys(file, [{ key, text }]);
}

/**
 * Removes a key, or a table with all of its keys, from a config file. Returns whether it was there.
 * Throws the same errors as `setConfigKey`.
 */
export function unsetConfigKey(file: string, key: string): Promise<boolean> {
  return editConfigKeys(file, [{ key, text: null }]);
}

/** A key and its new value, as TOML or as a bare text; null removes the key. */
export interface ConfigKeyEdit {
  readonly key: string;
  readonly text: string | null;
}

/**
 * Sets and removes keys of a config file in their order: all of them, or none. Returns whether there was something to
 * change. Throws the same errors as `setConfigKey`.
 */
export function editConfigKeys(file: string, edits: readonly ConfigKeyEdit[]): Promise<boolean> {
  const steps = edits.map(({ key, text }) => (text === null ? toRemoval(key) : toSetting(file, { key, text })));
  return editConfigFile(file, (before) => {
    const after = steps.reduce((content, step) => step(content) ?? content, before);
    return after === before ? null : after;
  });
}

function toSetting(file: string, { key, text }: { readonly key: string; readonly text: string }): ConfigEdit {
  const path = toKnownPath(key);
  const { value, isPlainText, isOpenQuote } = parseTypedValue(text);
  if (isOpenQuote) {
    const message = `The value of ${key} starts with a quote but is not valid TOML: close the quote, or remove it.`;
    throw new ConfigError({ code: "value_invalid", message, key });
  }
  const added = nestValue(path, value);
  const origin = { type: "argument", name: "the new value" } as const;
  const [warning] = checkLayer({ table: added, locate: () => origin, isPlainText }).warnings;
  if (warning !== undefined) throw new ConfigError({ code: "key_unknown", message: warning.message, key });
  if (formatKey(path) === "sandbox.deny_read" && Array.isArray(value)) {
    const paths = value.map(String).filter((each) => !each.startsWith("~"));
    checkHiddenPaths(paths.map((each) => resolve(dirname(file), each)));
  }
  return ({ table, text: before }) => ({
    table: mergeTables(withoutValue(table, path), added),
    text: setTomlValue(before, path, value),
  });
}

function toRemoval(key: string): ConfigEdit {
  return ({ table, text }) => {
    const path = parseKey(key) ?? toKnownPath(key);
    if (valueAt(table, path) !== undefined) {
      return { table: withoutValue(table, path), text: removeTomlKey(text, path) };
    }
    toKnownPath(key); // throws for an unknown key
    return null;
  };
}

/**
 * Adds `[mcp_servers.ID]` to a config file after the other servers, and changes nothing else:
 * comments, order and line ends stay. A missing file is created. Throws `ConfigError`:
 * `edit_impossible` when the file already has that server or only you can change the file,
 * `mcp_server_invalid` for a server that cannot be used, `value_invalid` for a wrong value, and the
 * errors of an unreadable file. Then nothing is written.
 */
export async function addMcpServer(file: string, id: string, server: McpServerTable): Promise<void> {
  const path = ["mcp_servers", id];
  const key = formatKey(path);
  const added = nestValue(path, server);
  checkLayer({ table: added, locate: () => ({ type: "argument", name: `the server ${id}` }) });
  const fault = findServerFault(server);
  if (fault !== null) throw new ConfigError({ code: "mcp_server_invalid", message: `The server ${id} ${fault}.`, key });
  await editConfigFile(file, ({ table, text }) => {
    if (has(table, id)) {
      const message = `${file} already has a [${key}]: remove it first (unroll mcp remove), or choose another name.`;
      throw new ConfigError({ code: "edit_impossible", message, key, file });
    }
    return { table: mergeTables(table, added), text: addTomlTable(text, path, { ...server }) };
  });
}

/**
 * Removes all of `mcp_servers.ID` from a config file, and nothing else. Returns whether it was
 * there. Throws the same errors as `addMcpServer`.
 */
export async function removeMcpServer(file: string, id: string): Promise<boolean> {
  const path = ["mcp_servers", id];
  return editConfigFile(file, ({ table, text }) =>
    has(table, id) ? { table: withoutValue(table, path), text: removeTomlKey(text, path) } : null,
  );
}

function has({ mcp_servers: servers }: Table, id: string): boolean {
  return isTable(servers) && Object.hasOwn(servers, id);
}

export interface ConfigReplacement {
  /** The file's text when it was read; null: it did not exist. */
  readonly before: string | null;
  /** The place of the new text, for messages. */
  readonly draft: string;
  readonly text: string;
}

/**
 * Replaces a config file with a text that you edited, unless the file changed in the meantime.
 * Returns a warning for each setting without effect. Throws `ConfigError`, with the place in the
 * draft, for a text that cannot be loaded, and `edit_impossible` or `file_locked`. Then nothing is
 * written.
 */
export async function replaceConfigText(
  file: string,
  { before, draft, text }: ConfigReplacement,
): Promise<readonly ConfigWarning[]> {
  const { warnings } = parseConfigFile(text.replace(/^\uFEFF/, ""), draft);
  await changeFile(file, async () => {
    if ((await readConfigText(file)) === before) return text;
    const message = `${file} changed while you were editing: merge both by hand. Yours is in ${draft}.`;
    throw new ConfigError({ code: "edit_impossible", message, file });
  });
  return warnings;
}
