import { randomUUIDv7 } from "node:crypto";
import type { HostEnvironment } from "@unroll/harness";
import type { ProcessIo } from "./process-io.ts";

/** The machine as this process sees it. */
export function createHostEnvironment({ env, cwd, homeDirectory, platform, ownFolders }: ProcessIo): HostEnvironment {
  return {
    env,
    cwd,
    homeDirectory,
    platform,
    ownFolders,
    now: Date.now,
    elapsed: () => performance.now(),
    random: Math.random,
    newId: () => randomUUIDv7(),
  };
}
