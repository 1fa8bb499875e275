import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";
import { resolveIfAny } from "../files/path-facts.ts";
import { isInside } from "../rules/path-rule.ts";

/**
 * The first program of that name on a search path, resolved; but none that lies where commands can write, or is found
 * relative to wherever the harness happens to be.
 */
export function findProgram(name: string, searchPath: string, writableRoots: readonly string[]): string | undefined {
  return searchPath
    .split(":")
    .filter(isAbsolute)
    .flatMap((folder) => resolveIfAny(join(folder, name)) ?? [])
    .find((file) => !writableRoots.some((root) => isInside(file, root)) && isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
