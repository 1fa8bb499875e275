import { constants, open } from "node:fs/promises";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { ConfigError } from "../config-error.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";

/**
 * Reads one config file; a missing file sets nothing. Throws `ConfigError` for a file that cannot
 * be read, is not TOML in UTF-8, or has a wrong value.
 */
export async function readConfigFile(path: string): Promise<ConfigLayer> {
  return (await readExistingConfigFile(path)) ?? createEmptyLayer();
}

/** Reads one config file; null: it does not exist. */
export async function readExistingConfigFile(path: string): Promise<ConfigLayer | null> {
  const text = await readConfigText(path);
  if (text === null) return null;
  // Most fresh installs have no file. They need not load the parser and the schema.
  const { parseConfigFile } = await import("./parse-config-file.ts");
  return parseConfigFile(text.replace(/^\uFEFF/, ""), path);
}

/** The text with its byte order mark; null: there is no file. Throws `ConfigError` (`file_unreadable`). */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readRegularFile(path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return null;
    const reason = describeSystemError(error);
    throw new ConfigError({
      code: "file_unreadable",
      file: path,
      message:
        code === "EMFILE"
          ? `${path} cannot be read: ${reason}.`
          : `${path} cannot be read: ${reason}. Make it a text file that you can read, or remove it.`,
    });
  }
}

/** Far more than people write, and enough for generated files. */
const maxBytes = 16 * 2 ** 20;

/**
 * The bytes of a file in one of our folders, up to 16 MiB. A named pipe is refused: a reader would
 * wait for ever, and could not be interrupted. Of devices, only `/dev/null` is read, as an empty
 * file. Throws file system errors.
 */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFIFO()) throw new Error("it is a pipe, not a regular file");
  if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes / 2 ** 20} MiB`);
  if (found.isFile() || found.isDirectory()) return await file.readFile();
  if ((await file.read(new Uint8Array(1))).bytesRead > 0) throw new Error("it is a device, not a regular file");
  return new Uint8Array();
}
