import { join } from "node:path";
import { ThreadHostError } from "./thread-host-error.ts";
import type { ThreadHost } from "./open-thread-host.ts";
import { toConfigFlags } from "./settings/to-thread-flags.ts";

/** Writes a value, of a table each member, into the person's config.toml; gives that file. Throws `ThreadHostError` `no_value` for null. */
export async function writeConfigValue(
  { loadConfig }: Pick<ThreadHost, "loadConfig">,
  key: string,
  value: unknown,
): Promise<string> {
  const file = join((await loadConfig(null)).codexHome, "config.toml");
  const settings = toConfigFlags(key, value);
  if (settings.length === 0) throw new ThreadHostError("no_value", "value: a value is expected, and null is none.");
  const { setConfigKey } = await import("@unroll/config/upkeep");
  for (const setting of settings) {
    const at = setting.indexOf("=");
    await setConfigKey(file, setting.slice(0, at), setting.slice(at + 1));
  }
  return file;
}
