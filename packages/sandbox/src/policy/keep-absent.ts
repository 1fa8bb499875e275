import { constants } from "node:fs";
import { dirname } from "node:path";
import { mayAccess } from "../files/path-facts.ts";
import type { PathRule } from "./path-rule.ts";

/**
 * What is not there must not come into being, and an empty folder may be what another sandbox holds the name down with, and
 * gone when that ends. No rule where this user cannot make it: commands cannot either.
 */
export function keepAbsent(path: string): readonly PathRule[] {
  return mayAccess(dirname(path), constants.W_OK) ? [{ type: "absent", path }] : [];
}
