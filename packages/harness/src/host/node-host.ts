import { HarnessError } from "../harness-error.ts";
import { createIds } from "./create-ids.ts";
import type { HostEnvironment } from "./host-environment.ts";

/** What a program knows better than its process does. */
export type NodeHostOptions = Partial<Pick<HostEnvironment, "env" | "cwd" | "homeDirectory" | "ownFolders">>;

const known: Readonly<Record<keyof NodeHostOptions, true>> = {
  env: true,
  cwd: true,
  homeDirectory: true,
  ownFolders: true,
};

/**
 * The machine as this process sees it: its environment, its working folder, its clock. The one place of all packages that
 * looks there; each thing may be given instead. Absent `ownFolders`: none. Throws `HarnessError` `no_working_folder` where
 * the working folder is gone, and `invalid_options` for what is no option.
 */
export function nodeHost(options: NodeHostOptions = {}): HostEnvironment {
  checkOptions(options);
  const { env = process.env, ownFolders = [] } = options;
  return {
    env,
    cwd: options.cwd ?? findWorkingFolder(),
    homeDirectory: options.homeDirectory ?? (env["HOME"] || process.getBuiltinModule("node:os").homedir()),
    platform: process.platform,
    ownFolders,
    now: Date.now,
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

function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = "The working folder of this process is gone: start it in another one, or give nodeHost a cwd.";
    throw new HarnessError("no_working_folder", message, { cause: error });
  }
}
