import { readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@unroll/text";
import { type ControlGroup, membersFile } from "./control-group.ts";

/** How many attempts, with growing pauses: about a second in all. */
const mostTries = 24;

/**
 * Kills everything left in the group, and removes it. If that fails, the group stays, usually
 * empty, and the creator of the next one may remove it.
 */
export async function removeGroup({ folders }: ControlGroup): Promise<void> {
  let left = folders;
  for (let tries = 0; tries < mostTries; tries += 1) {
    left = left.filter((folder) => !removeIfEmpty(folder));
    if (left.length === 0) return;
    for (const folder of left.flatMap(listGroups)) for (const pid of listMembers(folder)) end(pid);
    await delay(Math.min(2 ** tries, 50));
  }
}

/**
 * Removes the folder of a group, with its subgroups, unless one holds processes. Returns whether
 * nothing of it is left.
 */
export function removeIfEmpty(folder: string): boolean {
  return listGroups(folder).map(isRemoved).every(Boolean);
}

/**
 * A command outside the sandbox (a container, another harness) may have created groups in it. The
 * innermost come first.
 */
function listGroups(folder: string): readonly string[] {
  try {
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [...inner.flatMap(({ name }) => listGroups(join(folder, name))), folder];
  } catch {
    return [folder];
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "ENOENT";
  }
}

/** A process that cannot be seen from here has the number 0, which would mean ourselves. */
function listMembers(folder: string): readonly number[] {
  try {
    const lines = readFileSync(join(folder, membersFile), "latin1").split("\n");
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

function end(pid: number): void {
  try {
    kill(pid, "SIGKILL");
  } catch {
    // It was removed.
  }
}
