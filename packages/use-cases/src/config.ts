import { dirname, isAbsolute, join, resolve } from "node:path";
import { explainConfig, setConfigKey } from "@unroll/config/upkeep";
import type { Host } from "@unroll/harness";
import { type ProgramFlags, toConfigSources } from "@unroll/program";
import type { WrittenKey } from "@unroll/report";

/** A key of the user's own config.toml, and what it is set to, as TOML or as a bare text. */
export interface KeyToSet {
  readonly codexHome: string;
  readonly key: string;
  readonly value: string;
}

/** Where the key is set: which config files there are, and what counts among them. */
export interface SetKeyOptions {
  /** The flags of the calling program. */
  readonly flags: ProgramFlags;
  readonly host: Host;
}

/** Writes a key, and reads back whether its value counts here. Throws `ConfigError` for a key or a value that cannot be. */
export async function setKey({ codexHome, key, value }: KeyToSet, options: SetKeyOptions): Promise<WrittenKey> {
  await setConfigKey(join(codexHome, "config.toml"), key, value);
  return readWrittenKey({ codexHome, key }, options);
}

/** Whether the value of a key that was just written counts here. */
export async function readWrittenKey(
  { codexHome, key }: Omit<KeyToSet, "value">,
  { flags, host }: SetKeyOptions,
): Promise<WrittenKey> {
  const file = join(codexHome, "config.toml");
  const { keys, warnings } = await explainConfig(await toConfigSources(flags, host), key);
  const own = warnings.filter((warning) => warning.key === key).map(({ message }) => message);
  const [only] = keys;
  if (only === undefined || keys.length > 1 || only.origin?.type !== "file")
    return { key, file, warnings: own, counted: null };
  const { toml, shadows, origin } = only;
  const { path, line } = origin;
  const relative = only.key === "sandbox.deny_read" && path === file ? listRelative(only.value) : [];
  const folder = resolve(host.cwd, flags.cd ?? ".");
  own.push(...relative.map((each) => explainRelative(each, { file, folder })));
  return { key: only.key, file, warnings: own, counted: { path, line, toml, isOver: shadows.length > 0 } };
}

function listRelative(paths: unknown): readonly string[] {
  const texts = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return texts.filter((path) => !isAbsolute(path) && path !== "~" && !path.startsWith("~/"));
}

function explainRelative(path: string, { file, folder }: { readonly file: string; readonly folder: string }): string {
  const [hidden, meant] = [resolve(dirname(file), path), resolve(folder, path)];
  const hint = hidden === meant ? "" : ` To hide the one in this folder, write ${meant}.`;
  return `Relative paths start at the config file, so ${path} hides ${hidden}.${hint}`;
}
