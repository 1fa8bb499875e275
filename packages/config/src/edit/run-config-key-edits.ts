import { ConfigError } from "../fault/config-error.ts";
import { toKnownPath } from "../explain/run-explain-config.ts";
import { checkLayer } from "../layer/check-layer.ts";
import { parseKey } from "../layer/parse-key.ts";
import { isOpenQuote, parseTomlValue } from "../layer/parse-override.ts";
import { mergeTables, nestValue, valueAt, withoutValue } from "../toml/table-path.ts";
import { editConfigFile } from "./edit-config-file.ts";
import { removeTomlKey } from "./remove-toml-key.ts";
import { setTomlValue } from "./set-toml-value.ts";

/** See `setConfigKey`. */
export async function runSetConfigKey(file: string, key: string, text: string): Promise<boolean> {
  const path = toKnownPath(key);
  const value = parseTomlValue(text)?.value ?? text;
  if (isOpenQuote(text)) {
    const message = `The value of ${key} begins with a quote and is no TOML: close the quote, or leave it out.`;
    throw new ConfigError({ code: "value_invalid", message, key });
  }
  const isPlainText = (): boolean => value === text && /^["'[{]/.test(text);
  const added = nestValue(path, value);
  const checked = checkLayer({
    table: added,
    locate: () => ({ type: "argument", name: "the new value" }),
    isPlainText,
  });
  const [warning] = checked.warnings;
  if (warning !== undefined) throw new ConfigError({ code: "key_unknown", message: warning.message, key });
  return editConfigFile(file, ({ table, text: before }) => ({
    table: mergeTables(withoutValue(table, path), added),
    text: setTomlValue(before, path, value),
  }));
}

/** See `unsetConfigKey`. */
export function runUnsetConfigKey(file: string, key: string): Promise<boolean> {
  return editConfigFile(file, ({ table, text }) => {
    const path = parseKey(key) ?? toKnownPath(key);
    if (valueAt(table, path) !== undefined) {
      return { table: withoutValue(table, path), text: removeTomlKey(text, path) };
    }
    toKnownPath(key); // what is neither there nor a key is told
    return null;
  });
}
