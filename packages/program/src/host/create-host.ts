import type { Host } from "@unroll/harness";
import type { ProcessIo } from "../io/process-io.ts";

/** The machine as this process sees it. */
export function createHost(io: ProcessIo): Host {
  const { env, cwd, homeDirectory, platform, ownFolders, localDay, random, newId } = io;
  const clock = { now: () => io.now(), elapsed: () => io.elapsed() };
  return { env, cwd, homeDirectory, platform, ownFolders, localDay, random, newId, ...clock };
}
