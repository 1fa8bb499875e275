import { join } from "node:path";
import { findSystemProgram, openPrograms, type ProgramFile, systemFolders } from "@unroll/process-tree";
import { isFile } from "@unroll/files";
import { quoteWord } from "@unroll/text";
import type { UnavailableBackend } from "../plan/sandbox-backend.ts";
import { isOutOfReach } from "../plan/find-launcher.ts";
import { listWritable } from "./list-writable.ts";
import type { ProbeOptions } from "./probe-options.ts";

/** The bubblewrap that the user's own config names, otherwise the system's; or why neither can be used. */
export function findBubblewrap(options: ProbeOptions): ProgramFile | UnavailableBackend {
  const { environment, cwd, bubblewrap = null } = options;
  const writable = listWritable(options);
  const onPath = openPrograms({ env: environment, cwd, projects: writable });
  if (bubblewrap !== null) {
    const named = onPath.find(bubblewrap);
    if (named.type === "found" && isOutOfReach(bubblewrap, writable)) return named.file;
    return isFile(bubblewrap) ? inReach(bubblewrap) : noSuch(bubblewrap);
  }
  const own = findSystemProgram("bwrap");
  if (own !== null) return isOutOfReach(own, writable) ? own : inReach(own);
  const open = systemFolders.map((folder) => join(folder, "bwrap")).find(isFile);
  if (open !== undefined) return foreign(open);
  const seen = onPath.find("bwrap");
  if (seen.type === "found") return foreign(seen.file);
  return {
    type: "unavailable",
    reason: seen.passedOver === null ? notFound : `${notFound} ${seen.message}`,
    remedy: install,
  };
}

/** How the reason begins where there is none at all. */
export const notFound = "The program bwrap was not found.";
const install =
  "Install it: apt-get install bubblewrap, apk add bubblewrap, dnf install bubblewrap or pacman -S bubblewrap.";

function inReach(file: string): UnavailableBackend {
  return {
    type: "unavailable",
    reason: `The program ${file} lies in a folder that commands may write, so they could replace it.`,
    remedy: "Work in a folder that does not hold it, such as the project's own, and leave it out of writable_roots.",
  };
}

function noSuch(file: string): UnavailableBackend {
  return {
    type: "unavailable",
    reason: `The program ${file} does not exist, but programs.bwrap in your config names it.`,
    remedy: "Correct it, or remove it to use the system's.",
  };
}

function foreign(file: string): UnavailableBackend {
  return {
    type: "unavailable",
    reason:
      `The program ${file} is not the system's own: somebody besides root could have put it there, ` +
      `or it is in none of ${systemFolders.join(", ")}.`,
    remedy:
      `${install} Or allow this one in your own config.toml: [programs] bwrap = ${JSON.stringify(file)} ` +
      `(unroll config set programs.bwrap ${quoteWord(file)}).`,
  };
}
