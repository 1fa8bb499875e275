import { join } from "node:path";
import { setConfigKey } from "@unroll/config";
import { FrontEndError } from "./front-end-error.ts";
import type { FrontEnd } from "./open-front-end.ts";
import { toConfigFlags } from "./settings/to-thread-flags.ts";

/** Writes a value, of a table each member, into the person's config.toml; gives that file. Throws `FrontEndError` `no_value` for null. */
export async function writeConfigValue(
  { loadConfig }: Pick<FrontEnd, "loadConfig">,
  key: string,
  value: unknown,
): Promise<string> {
  const file = join((await loadConfig(null)).codexHome, "config.toml");
  const settings = toConfigFlags(key, value);
  if (settings.length === 0) throw new FrontEndError("no_value", "value: a value is expected, and null is none.");
  for (const setting of settings) {
    const at = setting.indexOf("=");
    await setConfigKey(file, setting.slice(0, at), setting.slice(at + 1));
  }
  return file;
}
