import { readFile } from "node:fs/promises";
import { ConfigError } from "../config-error.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";

/**
 * Reads one config file; one that is not there sets nothing. Throws `ConfigError` when it is there and cannot be read, is
 * not TOML in UTF-8, or has a wrong value.
 */
export async function readConfigFile(path: string): Promise<ConfigLayer> {
  const text = await readConfigText(path);
  if (text === null) return createEmptyLayer();
  // Most fresh installs have no file: they do not pay for the parser and the schema.
  const { parseConfigFile } = await import("./parse-config-file.ts");
  return parseConfigFile(text.replace(/^\uFEFF/, ""), path);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "the path leads through a file",
  ERR_ENCODING: "it is not UTF-8 text",
};

/** With its byte order mark; null where there is no file. Throws `ConfigError` (`file_unreadable`). */
export async function readConfigText(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const code = isSystemError(error) ? error.code : "ERR_ENCODING";
    if (code === "ENOENT") return null;
    throw new ConfigError({
      code: "file_unreadable",
      file: path,
      message: `${path} cannot be read: ${reasons[code ?? ""] ?? code}. Make it a text file that you can read, or remove it.`,
    });
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly syscall: string } {
  return error instanceof Error && "syscall" in error;
}
