import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { kill } from "node:process";
import { systemErrorCode } from "@unroll/text";

let own: string | null | undefined;

/**
 * This process in names of files: where process ids count (the running system and the pid namespace, as a hash), its id, its
 * start. Null: there is no /proc.
 */
export function nameOwner(): string | null {
  if (own === undefined) {
    const [realm, start] = [readRealm(), readStart("self")];
    own = realm === null || start === null ? null : `${realm}-${readlinkSync("/proc/self")}-${start}`;
  }
  return own;
}

/** Whether the process of `owner` has ended. False for one of another machine, container or boot: nobody here knows. */
export function isDead(owner: string): boolean {
  const [realm, id, start] = owner.split("-");
  if (realm === undefined || id === undefined || start === undefined || realm !== readRealm()) return false;
  const found = readStart(id);
  return found === null ? !exists(Number(id)) : found !== start; // hidepid hides other users' processes
}

function readRealm(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    const hash = createHash("sha256").update(`${boot}${readlinkSync("/proc/self/ns/pid")}`);
    return hash.digest("hex").slice(0, 8);
  } catch {
    return null;
  }
}

/** Field 22 of `/proc/PID/stat`: with the id, it is never used again. Null: no such process, or it is hidden. */
function readStart(process: string): string | null {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function exists(id: number): boolean {
  try {
    return kill(id, 0);
  } catch (error) {
    return systemErrorCode(error) !== "ESRCH";
  }
}
