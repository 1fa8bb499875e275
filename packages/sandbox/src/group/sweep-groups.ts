import { readlinkSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readTextIfAny } from "@unroll/files";
import { listNames } from "../files/path-facts.ts";

/** A group younger than this may be waiting for its first process, in ms. */
const settledMs = 60_000;

/** The name of a group tells the process that it is for, and when that began: numbers come round again. */
export function toGroupName(id: string): string {
  const pid = readlinkSync("/proc/self");
  return `unroll-${pid}-${readStart(pid) ?? 0}-${id}`;
}

/**
 * Removes what a harness left beside `made`, a new group, that had no chance to do so itself. One that holds processes stays: the
 * system removes no such group.
 */
export function sweepGroups(made: string): void {
  const parent = dirname(made);
  const now = statSync(made).mtimeMs;
  for (const name of listNames(parent)) {
    const [, pid, start] = /^unroll-(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || start === undefined || readStart(pid) === start || name === basename(made)) continue;
    const folder = join(parent, name);
    try {
      if (now - statSync(folder).mtimeMs > settledMs) rmdirSync(folder);
    } catch {
      // Somebody else has, or it is not empty.
    }
  }
}

/** When a process began, as field 22 of proc_pid_stat(5) tells it; null: there is none. */
function readStart(pid: string): string | null {
  const stat = readTextIfAny(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[22 - 3] ?? null;
}
