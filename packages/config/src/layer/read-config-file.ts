import { describeSystemError, systemErrorCode } from "@unroll/text";
import { ConfigError } from "../fault/config-error.ts";
import { readRegularFile } from "./read-regular-file.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";

/**
 * Reads one config file; one that is not there sets nothing. Throws `ConfigError` when it is there and cannot be read, is
 * not TOML in UTF-8, or has a wrong value.
 */
export async function readConfigFile(path: string): Promise<ConfigLayer> {
  return (await readExistingConfigFile(path)) ?? createEmptyLayer();
}

/** The same; null: it is not there. */
export async function readExistingConfigFile(path: string): Promise<ConfigLayer | null> {
  const text = await readConfigText(path);
  if (text === null) return null;
  // Most fresh installs have no file: they do not pay for the parser and the schema.
  const { parseConfigFile } = await import("./parse-config-file.ts");
  return parseConfigFile(text.replace(/^\uFEFF/, ""), path);
}

/** With its byte order mark; null where there is no file. Throws `ConfigError` (`file_unreadable`). */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readRegularFile(path));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw new ConfigError({
      code: "file_unreadable",
      file: path,
      message: `${path} cannot be read: ${describeSystemError(error)}. Make it a text file that you can read, or remove it.`,
    });
  }
}
