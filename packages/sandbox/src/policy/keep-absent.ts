import { constants } from "node:fs";
import { dirname } from "node:path";
import { mayAccess } from "@unroll/files";
import type { PathRule } from "./path-rule.ts";

/**
 * A missing path must not be created. An empty folder may belong to another sandbox that blocks the
 * name, and disappear with it. There is no rule where this user cannot create the path: commands
 * cannot either.
 */
export function keepAbsent(path: string): readonly PathRule[] {
  return mayAccess(dirname(path), constants.W_OK) ? [{ type: "absent", path }] : [];
}
