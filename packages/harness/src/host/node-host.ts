import { HarnessError } from "../harness-error.ts";
import { createIds } from "./create-ids.ts";
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
