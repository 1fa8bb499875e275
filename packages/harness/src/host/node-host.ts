import type { Clock } from "@unroll/flow";
import { HarnessError } from "../harness-error.ts";
import type { Host } from "./host.ts";

/** What a program knows better than its process does. */
export type NodeHostOptions = Partial<Pick<Host, "env" | "cwd" | "homeDirectory" | "ownFolders">>;

const known: Readonly<Record<keyof NodeHostOptions, true>> = {
  env: true,
  cwd: true,
  homeDirectory: true,
  ownFolders: true,
};

/**
 * The machine as this process sees it: its environment, its working folder, its clock. The one place of all packages that
 * looks there; each thing may be given instead. Absent `ownFolders`: none. Throws `HarnessError` `no_working_folder` where
 * the working folder is gone, and `invalid_options` for what is no option. Where the environment has no `HOME`, as of services and
 * cron, `HOME` is what the system has of the user; of a user that it does not know, the home folder is `/`, as in a container.
 */
export function nodeHost(options: NodeHostOptions = {}): Host {
  checkOptions(options);
  const { env = readEnvironment(), ownFolders = [] } = options;
  return {
    env,
    cwd: options.cwd ?? findWorkingFolder(),
    homeDirectory: options.homeDirectory ?? (env["HOME"] || env["USERPROFILE"] || findUserHome() || "/"),
    platform: process.platform,
    ownFolders,
    now: Date.now,
    localDay: findLocalDay,
    elapsed: () => Number(process.hrtime.bigint()) / 1e6, // `performance` takes two ms to load
    random: Math.random,
    newId: createIds(Date.now, process.getBuiltinModule("node:fs")),
  };
}

/** By itself: an import of what the other calls are checked with would count for whoever imports the package. */
function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new HarnessError("invalid_options", "nodeHost: options are expected as an object: nodeHost({ cwd }).");
  const unknown = Object.keys(options).find((key) => !(key in known));
  if (unknown === undefined) return;
  const takes = Object.keys(known).join(", ");
  throw new HarnessError("invalid_options", `nodeHost does not know ${unknown}: it takes ${takes}.`);
}

function readEnvironment(): Host["env"] {
  if (process.env["HOME"] || process.env["USERPROFILE"]) return process.env;
  const home = findUserHome();
  return home === null ? process.env : { ...process.env, HOME: home };
}

/** Null: the system knows no user of this id, as in a container that was given another one. */
function findUserHome(): string | null {
  try {
    return process.getBuiltinModule("node:os").userInfo().homedir;
  } catch {
    return null;
  }
}

function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = "The working folder of this process is gone: start it in another one, or give nodeHost a cwd.";
    throw new HarnessError("no_working_folder", message, { cause: error });
  }
}

/** The day by the time zone of this process. */
function findLocalDay(at: number): ReturnType<Host["localDay"]> {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  const date = new Date(at - offsetMs).toISOString().slice(0, 10);
  return { date, timeZone: findLinkedZone() ?? findZone() };
}

/** By the link of Linux and macOS, for `Intl` takes 15 ms to load. Null: there is none, or `TZ` counts in its place. */
function findLinkedZone(): string | null {
  if (process.env["TZ"] !== undefined) return null;
  try {
    const target = process.getBuiltinModule("node:fs").readlinkSync("/etc/localtime");
    return /\/zoneinfo\/(.+)$/.exec(target)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Null for a zone without a name. */
function findZone(): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== "Etc/Unknown" ? timeZone : null;
}

/** Of `node:fs`, which Node has loaded by itself: an import of it would count for whoever imports the package. */
type FileReads = Pick<typeof import("node:fs"), "openSync" | "readSync" | "closeSync">;

/** What is asked of the kernel at once. */
const reserveBytes = 512;

/** Gives the ids of a process: UUIDs that come in the order of their time. */
function createIds(now: Clock["now"], files: FileReads): () => string {
  const takeBytes = createRandomBytes(files);
  return () => toUuidV7(now(), takeBytes(16));
}

/**
 * Bytes for ids, from the kernel: loading `node:crypto` takes a third of what Node itself takes to start, and a short run
 * needs nothing else of it. Where there is no `/dev/urandom`, from the web's `crypto`, which loads it.
 */
function createRandomBytes(files: FileReads): (count: number) => Uint8Array {
  let reserve: Uint8Array = new Uint8Array();
  return (count) => {
    const missing = Math.max(count, reserveBytes);
    if (reserve.length < count) reserve = readKernel(files, missing) ?? crypto.getRandomValues(new Uint8Array(missing));
    const taken = reserve.subarray(0, count);
    reserve = reserve.subarray(count);
    return taken;
  };
}

function readKernel({ openSync, readSync, closeSync }: FileReads, count: number): Uint8Array | null {
  try {
    const file = openSync("/dev/urandom", "r");
    try {
      const bytes = new Uint8Array(count);
      return readSync(file, bytes) === count ? bytes : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** A UUID of version 7 (RFC 9562, 5.7) of a time in ms since 1970 and 16 random bytes. Not every runtime brings one. */
function toUuidV7(now: number, random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
