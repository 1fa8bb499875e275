import { accessSync, constants, mkdirSync } from "node:fs";

/** Makes a folder for this user alone, unless it is there. Returns why it cannot be had; nothing when it can. */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
