import type { Clock } from "@unroll/flow";
import { HarnessError } from "../harness-error.ts";
import type { Host } from "./host.ts";

/** Values that replace those of this process. */
export type NodeHostOptions = Partial<Pick<Host, "env" | "cwd" | "homeDirectory" | "ownFolders">>;

const known: Readonly<Record<keyof NodeHostOptions, true>> = {
  env: true,
  cwd: true,
  homeDirectory: true,
  ownFolders: true,
};

/**
 * This process's machine: its environment, working folder and clock. Only this function of all
 * packages looks there; any value can be given instead. Absent `ownFolders`: none. If the
 * environment has no `HOME` or `SHELL`, as in services and cron, the system's entry for the user is used; for
 * a user that the system does not know, as in a container, the home is `/`. Throws `HarnessError`
 * `no_working_folder` if the working folder was deleted, and `invalid_options` for an unknown
 * option.
 */
export function nodeHost(options: NodeHostOptions = {}): Host {
  checkOptions(options);
  const { env = readEnvironment(), ownFolders = [] } = options;
  return {
    env,
    cwd: options.cwd ?? findWorkingFolder(),
    homeDirectory: options.homeDirectory ?? (env["HOME"] || env["USERPROFILE"] || findUser()?.homedir || "/"),
    platform: process.platform,
    ownFolders,
    now: Date.now,
    localDay: findLocalDay,
    elapsed: () => Number(process.hrtime.bigint()) / 1e6, // `performance` takes two ms to load
    random: Math.random,
    newId: createIds(Date.now, process.getBuiltinModule("node:fs")),
  };
}

/**
 * Not shared with the other checks: importing those would slow down every program that imports this
 * package.
 */
function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new HarnessError("invalid_options", "nodeHost: options are expected as an object: nodeHost({ cwd }).");
  const unknown = Object.keys(options).find((key) => !(key in known));
  if (unknown === undefined) return;
  const takes = Object.keys(known).join(", ");
  throw new HarnessError("invalid_options", `nodeHost does not know ${unknown}: it takes ${takes}.`);
}

/** Services, cron and containers often leave both out. */
function readEnvironment(): Host["env"] {
  const hasHome = Boolean(process.env["HOME"] || process.env["USERPROFILE"]);
  if (hasHome && (process.env["SHELL"] || process.platform === "win32")) return process.env;
  const user = findUser();
  if (user === null) return process.env;
  const shell = process.env["SHELL"] || user.shell;
  return { ...process.env, ...(!hasHome && { HOME: user.homedir }), ...(shell && { SHELL: shell }) };
}

/** Null: the system does not know a user with this id, as in a container that runs with another one. */
function findUser(): { readonly homedir: string; readonly shell: string | null } | null {
  try {
    return process.getBuiltinModule("node:os").userInfo();
  } catch {
    return null;
  }
}

function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = "The working folder of this process was deleted: start it in another one, or give nodeHost a cwd.";
    throw new HarnessError("no_working_folder", message, { cause: error });
  }
}

/** The day in the time zone of this process. */
function findLocalDay(at: number): ReturnType<Host["localDay"]> {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  const date = new Date(at - offsetMs).toISOString().slice(0, 10);
  return { date, timeZone: findLinkedZone() ?? findZone() };
}

/**
 * Reads the link that Linux and macOS have, because `Intl` takes 15 ms to load. Null: there is
 * none, or `TZ` replaces it.
 */
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

/**
 * Part of `node:fs`, which Node has already loaded: an import would slow down every program that
 * imports this package.
 */
type FileReads = Pick<typeof import("node:fs"), "openSync" | "readSync" | "closeSync">;

/** The number of bytes read from the kernel at once. */
const reserveBytes = 512;

/** Creates ids for a process: UUIDs that sort by time. */
function createIds(now: Clock["now"], files: FileReads): () => string {
  const takeBytes = createRandomBytes(files);
  return () => toUuidV7(now(), takeBytes(16));
}

/**
 * Random bytes for ids, from the kernel: loading `node:crypto` takes a third of Node's own start
 * time, and a short run needs nothing else of it. Without `/dev/urandom`, the web's `crypto` is
 * used, which loads it.
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

/**
 * A UUID of version 7 (RFC 9562, 5.7) from a time in ms since 1970 and 16 random bytes. Not every
 * runtime can make one.
 */
function toUuidV7(now: number, random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes.writeUIntBE(Math.max(0, now), 0, 6); // an unset clock may be before 1970
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
