import { randomUUIDv7 } from "node:crypto";
import type { Host } from "@unroll/harness";

/** Ids are unique, as in the product: by them a runner finds what its commands left, in this process or beside it. */
export function createTestHost(env: Host["env"], cwd: string): Host {
  return {
    env,
    cwd,
    homeDirectory: env["HOME"] ?? "/",
    platform: process.platform,
    ownFolders: [],
    now: Date.now,
    localDay: () => ({ date: "2026-11-23", timeZone: "Europe/Berlin" }),
    elapsed: () => performance.now(),
    findAddresses: async (name) => (name.endsWith(".example") ? ["127.0.0.1"] : []),
    random: () => 0,
    newId: () => randomUUIDv7(),
  };
}
