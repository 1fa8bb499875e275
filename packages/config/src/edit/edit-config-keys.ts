import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ConfigReplacement } from "./run-replace-config-text.ts";

/**
 * Sets a key of a config file, in the place of the value that is there, or where the key belongs; comments, order and line
 * ends stay. `key` as of `ConfigOverride`; `value` is TOML, or else a string as it stands. A file that is not there is made.
 * Throws `ConfigError`: `key_unknown` for what is no key, `value_invalid` for a wrong value, `file_locked`,
 * `edit_impossible` where only a person can change the file, and those of a file that cannot be read. Nothing is written then.
 */
export async function setConfigKey(file: string, key: string, value: string): Promise<void> {
  const { runSetConfigKey } = await import("./run-config-key-edits.ts");
  await runSetConfigKey(file, key, value);
}

/** Takes a key, or a table with all of its keys, out of a config file. Returns whether it was there. Throws as `setConfigKey`. */
export async function unsetConfigKey(file: string, key: string): Promise<boolean> {
  const { runUnsetConfigKey } = await import("./run-config-key-edits.ts");
  return runUnsetConfigKey(file, key);
}

/**
 * Puts a text that a person edited in the place of a config file, unless that has changed since they began. Returns what the
 * text has no effect in. Throws `ConfigError`, with its place in the draft, for a text that no start could use, and
 * `edit_impossible`, `file_locked`. Nothing is written then.
 */
export async function replaceConfigText(
  file: string,
  replacement: ConfigReplacement,
): Promise<readonly ConfigWarning[]> {
  const { runReplaceConfigText } = await import("./run-replace-config-text.ts");
  return runReplaceConfigText(file, replacement);
}
