import { isAbsolute } from "node:path";
import type { ProcessIo } from "./process-io.ts";

/** The variables that say where we keep files. */
const placeVariables = ["HOME", "CODEX_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];

/**
 * What is wrong with the places that the environment names, in a sentence; null: nothing that is known yet. In `/proc`, as
 * some containers and services have it for a home, no folder can be made, and Node.js (24 and 26) tries for ever.
 */
export function findHomeFault({ env, platform }: Pick<ProcessIo, "env" | "platform">): string | null {
  if (platform !== "linux") return null;
  const bad = placeVariables.find((name) => isInProc(env[name] ?? ""));
  if (bad === undefined) return null;
  return `${bad} is ${env[bad]}, where no file can be kept: set it to a folder of yours.`;
}

function isInProc(path: string): boolean {
  return isAbsolute(path) && /^\/+proc(?:\/|$)/.test(path);
}
