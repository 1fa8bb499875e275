import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { CommandLimits } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { isFile } from "@unroll/files";
import type { GroupPlace } from "./find-group-place.ts";
import { limitFiles } from "./limit-files.ts";

/** Limits on all processes of a group together; null: no such limit. */
export interface GroupHold {
  /** Includes threads. */
  readonly processes: number | null;
  readonly memory: MemoryHold | null;
}

interface MemoryHold {
  readonly mb: number;
  /** Whether swapped-out memory counts too; if not, it comes on top. */
  readonly isWithSwap: boolean;
}

/** A group's folder in one tree. */
export interface GroupPart {
  readonly place: GroupPlace;
  readonly folder: string;
  readonly hold: GroupHold;
}

export interface GroupWish {
  readonly limits: CommandLimits;
  readonly name: string;
  /** The memory limit of this program itself; null: all of the machine's memory. */
  readonly enclosingBytes: number | null;
}

/** `most` leaves the rest of the memory to other programs. */
const mostShare = 0.9;
const bytesInMb = 1024 * 1024;

/** Removes the group again if the system did not accept its limits. `obstacle`: the rest of a sentence. */
export function makeGroup(place: GroupPlace, wish: GroupWish): GroupPart | { readonly obstacle: string } {
  const folder = join(place.parent, wish.name);
  try {
    mkdirSync(folder);
  } catch (error) {
    return { obstacle: describeThrown(error) };
  }
  try {
    return { place, folder, hold: limit(folder, place, wish) };
  } catch (error) {
    rmdirSync(folder);
    return { obstacle: describeThrown(error) };
  }
}

function limit(
  folder: string,
  { version, controllers, leftProcesses }: GroupPlace,
  { limits, enclosingBytes }: GroupWish,
): GroupHold {
  const { maxProcesses, maxTotalMemoryMb } = limits;
  const processes =
    maxProcesses === null || !controllers.includes("pids")
      ? null
      : Math.min(maxProcesses, leftProcesses ?? maxProcesses);
  // The process that starts commands is in it, too.
  if (processes !== null) write(join(folder, limitFiles[version].pids), processes + 1);
  if (maxTotalMemoryMb === null || !controllers.includes("memory")) return { processes, memory: null };
  const mb =
    maxTotalMemoryMb === "most" ? Math.floor((findBytes(enclosingBytes) * mostShare) / bytesInMb) : maxTotalMemoryMb;
  write(join(folder, limitFiles[version].memory), mb * bytesInMb);
  return { processes, memory: { mb, isWithSwap: maxTotalMemoryMb !== "most" && limitSwap(folder, version, mb) } };
}

function findBytes(enclosingBytes: number | null): number {
  return Math.min(totalmem(), enclosingBytes ?? Number.POSITIVE_INFINITY);
}

/**
 * Version 1 limits memory and swap with one number. Without that file, the system does not count
 * swapped-out memory.
 */
function limitSwap(folder: string, version: GroupPlace["version"], mb: number): boolean {
  const file = join(folder, version === 1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
  if (!isFile(file)) return false;
  write(file, version === 1 ? mb * bytesInMb : 0);
  return true;
}

/** Throws if the system read the value differently. */
function write(file: string, value: number): void {
  writeFileSync(file, String(value));
  const taken = readFileSync(file, "latin1").trim();
  if (!(Number(taken) <= value)) throw new Error(`${file} is ${taken} after ${value} was written to it`);
}
