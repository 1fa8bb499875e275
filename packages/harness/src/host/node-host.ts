import { HarnessError } from "../harness-error.ts";
import type { HostEnvironment } from "./host-environment.ts";
import { createRandomBytes } from "./random-bytes.ts";

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

/** A UUID of version 7 (RFC 9562, 5.7) of a time in ms since 1970 and 16 random bytes. Not every runtime brings one. */
function toUuidV7(now: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  new DataView(bytes.buffer).setBigUint64(
    0,
    (BigInt(now) << 16n) | BigInt((bytes[6] ?? 0) << 8) | BigInt(bytes[7] ?? 0),
  );
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
