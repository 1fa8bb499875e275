import { readlinkSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readProcessStat, removeIfEmpty } from "@unroll/process-tree";
import { listNames } from "../files/path-facts.ts";

/** A group younger than this may be waiting for its first process, in ms. */
const settledMs = 60_000;

/**
 * The name of a group tells the process that it is for: its number, where that number holds (a container has its own), and when
 * it began, for numbers come round again.
 */
export function toGroupName(id: string): string {
  const pid = readlinkSync("/proc/self");
  return `unroll-${pid}-${readNumberSpace()}-${readStart(pid) ?? 0}-${id}`;
}

/**
 * Removes what a harness left beside `made`, a new group, that had no chance to do so itself. One that holds processes stays: the
 * system removes no such group.
 */
export function sweepGroups(made: string): void {
  const parent = dirname(made);
  const now = statSync(made).mtimeMs;
  const space = readNumberSpace();
  for (const name of listNames(parent)) {
    const [, pid, itsSpace, start] = /^unroll-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
    // Whether one of another container runs is not seen from here.
    if (pid === undefined || itsSpace !== space || readStart(pid) === start || name === basename(made)) continue;
    const folder = join(parent, name);
    if (now - readChangeTime(folder) > settledMs) removeIfEmpty(folder);
  }
}

/** Never, where somebody else has removed it. */
function readChangeTime(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** What tells our process numbers from those that another container uses: pid_namespaces(7). */
function readNumberSpace(): string {
  return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
}

/** When a process began, as field 22 of proc_pid_stat(5) tells it; null: there is none. */
function readStart(pid: string): string | null {
  return readProcessStat(pid)?.(22) ?? null;
}
