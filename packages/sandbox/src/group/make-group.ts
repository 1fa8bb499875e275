import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { CommandLimits } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { isFile } from "@unroll/files";
import type { GroupPlace } from "./find-group-place.ts";
import { limitFiles } from "./limit-files.ts";

/** What a group holds all its processes to, together; null: not to that. */
export interface GroupHold {
  /** With threads. */
  readonly processes: number | null;
  readonly memory: MemoryHold | null;
}

interface MemoryHold {
  readonly mb: number;
  /** Whether what the system swaps out counts too; else it comes besides. */
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
  /** What this program may have itself; null: all that the machine has. */
  readonly enclosingBytes: number | null;
}

/** `most` leaves so much of the memory to others. */
const mostShare = 0.9;
const bytesInMb = 1024 * 1024;

/** One whose limits the system did not take is not left behind. `obstacle`: the rest of a sentence. */
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
  // What starts commands is in it, too.
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

/** The first version counts both together. Where there is no such file, the system does not count what is swapped out. */
function limitSwap(folder: string, version: GroupPlace["version"], mb: number): boolean {
  const file = join(folder, version === 1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
  if (!isFile(file)) return false;
  write(file, version === 1 ? mb * bytesInMb : 0);
  return true;
}

/** Throws where the system took it for something else. */
function write(file: string, value: number): void {
  writeFileSync(file, String(value));
  const taken = readFileSync(file, "latin1").trim();
  if (!(Number(taken) <= value)) throw new Error(`${file} is ${taken} after ${value} was written to it`);
}
