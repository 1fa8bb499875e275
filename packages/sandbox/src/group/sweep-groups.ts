import { readlinkSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readProcessStat, removeIfEmpty } from "@unroll/process-tree";
import { listNames } from "../files/path-facts.ts";

/** In ms: a younger group may still be waiting for its first process. */
const settledMs = 60_000;

/**
 * The name of a group identifies its process: the process number, the container in which that
 * number is valid, and the start time, because numbers are reused.
 */
export function toGroupName(id: string): string {
  const pid = readlinkSync("/proc/self");
  return `unroll-${pid}-${readNumberSpace()}-${readStart(pid) ?? 0}-${id}`;
}

/**
 * Removes groups beside `made`, a new group, whose harness ended without removing them. A group
 * that holds processes stays: the system does not remove it.
 */
export function sweepGroups(made: string): void {
  const parent = dirname(made);
  const now = statSync(made).mtimeMs;
  const space = readNumberSpace();
  for (const name of listNames(parent)) {
    const [, pid, itsSpace, start] = /^unroll-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
    // We cannot see whether a process of another container still runs.
    if (pid === undefined || itsSpace !== space || readStart(pid) === start || name === basename(made)) continue;
    const folder = join(parent, name);
    if (now - readChangeTime(folder) > settledMs) removeIfEmpty(folder);
  }
}

/** Infinity if someone else has removed it. */
function readChangeTime(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** Distinguishes our process numbers from those of another container: pid_namespaces(7). */
function readNumberSpace(): string {
  return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
}

/** When a process started, from field 22 of proc_pid_stat(5); null: there is none. */
function readStart(pid: string): string | null {
  return readProcessStat(pid)?.(22) ?? null;
}
