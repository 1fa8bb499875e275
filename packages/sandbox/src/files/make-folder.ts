import { accessSync, constants, mkdirSync } from "node:fs";
import { join, sep } from "node:path";
import { mayAccess } from "@unroll/files";
import { describeThrown } from "@unroll/text";

/**
 * Creates a folder for this user alone, if it does not exist. Returns why it cannot be created;
 * null: it exists now.
 */
export function makeFolder(path: string): string | null {
  try {
    if (!mayAccess(join(path, sep), constants.W_OK)) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      accessSync(path, constants.W_OK);
    }
    return null;
  } catch (error) {
    return describeThrown(error);
  }
}
