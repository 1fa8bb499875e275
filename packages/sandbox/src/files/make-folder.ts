import { accessSync, constants, mkdirSync } from "node:fs";
import { describeThrown } from "@unroll/text";

/** Makes a folder for this user alone, unless it is there. Returns why it cannot be had; null when it can. */
export function makeFolder(path: string): string | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return describeThrown(error);
  }
}
