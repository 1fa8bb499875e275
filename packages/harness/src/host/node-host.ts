import { HarnessError } from "../harness-error.ts";
import type { HostEnvironment } from "./host-environment.ts";
import { createRandomBytes } from "./random-bytes.ts";
import { toUuidV7 } from "./uuid-v7.ts";

/** What a program knows better than its process does. */
export type NodeHostOptions = Partial<Pick<HostEnvironment, "env" | "cwd" | "homeDirectory" | "ownFolders">>;

/**
 * The machine as this process sees it: its environment, its working folder, its clock. The one place of all packages that
 * looks there; each thing may be given instead. Absent `ownFolders`: none. Throws `HarnessError` `no_working_folder` where
 * the working folder is gone.
 */
export function nodeHost(options: NodeHostOptions = {}): HostEnvironment {
  const { env = process.env, ownFolders = [] } = options;
  const randomBytes = createRandomBytes();
  return {
    env,
    cwd: options.cwd ?? findWorkingFolder(),
    homeDirectory: options.homeDirectory ?? (env["HOME"] || process.getBuiltinModule("node:os").homedir()),
    platform: process.platform,
    ownFolders,
    now: Date.now,
    elapsed: () => Number(process.hrtime.bigint()) / 1e6, // `performance` takes two ms to load
    random: Math.random,
    newId: () => toUuidV7(Date.now(), randomBytes(16)),
  };
}

function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = "The working folder of this process is gone: start it in another one, or give nodeHost a cwd.";
    throw new HarnessError("no_working_folder", message, { cause: error });
  }
}
