import { join } from "node:path";
import { type ControlGroup, removeGroup } from "@unroll/process-tree";
import type { CommandLimits } from "@unroll/protocol";
import { findGroupPlace } from "./find-group-place.ts";
import { countFiles } from "./limit-files.ts";
import { type GroupHold, type GroupPart, makeGroup } from "./make-group.ts";
import { type Counter, openCounter } from "./open-counter.ts";
import { readGroupLimits } from "./read-group-limits.ts";
import { type Controller, readHierarchies } from "./read-hierarchies.ts";
import { sweepGroups, toGroupName } from "./sweep-groups.ts";

/** How often the system enforced the group's limits since the group was created. */
export interface GroupCounts {
  /** Processes that were killed because memory ran out. */
  readonly killed: number;
  /** How often a process could not be started. */
  readonly refused: number;
}

/** A control group that was created for commands. */
export interface LimitedGroup extends ControlGroup {
  readonly hold: GroupHold;
  readonly readCounts: () => GroupCounts;
  /** Kills its processes, and removes it. */
  readonly close: () => Promise<void>;
}

export interface GroupFinding {
  /** Null: no limit was asked for, or no group can be created. */
  readonly group: LimitedGroup | null;
  /** Why a limit is not enforced, as the rest of a sentence; null: all limits are. */
  readonly obstacle: string | null;
}

export interface GroupOptions {
  readonly limits: CommandLimits;
  /** Unique; can be part of a file's name. */
  readonly id: string;
}

/**
 * Creates a control group for the limits on all commands together, as far as this machine allows.
 * Takes less than 1 ms.
 */
export function openLimitedGroup({ limits, id }: GroupOptions): GroupFinding {
  const wanted = listWanted(limits);
  if (wanted.length === 0) return { group: null, obstacle: null };
  const found = readHierarchies("/").flatMap((each) => findGroupPlace(each, wanted) ?? []);
  if (found.length === 0) return { group: null, obstacle: nothingSeen };
  const wish = { limits, name: toGroupName(id), enclosingBytes: readGroupLimits("/").memoryBytes };
  const made = found.map((each) => {
    const part = "obstacle" in each ? each : makeGroup(each, wish);
    if ("folder" in part) sweepGroups(part.folder);
    return part;
  });
  const parts = made.filter((each) => "folder" in each);
  const held = parts.flatMap(({ place }) => place.controllers);
  const [obstacle = nothingSeen] = made.flatMap((each) => ("obstacle" in each ? each.obstacle : []));
  return {
    group: parts.length === 0 ? null : toGroup(parts),
    obstacle: wanted.every((each) => held.includes(each)) ? null : obstacle,
  };
}

const nothingSeen = "no control groups are seen from here that could hold commands to that";

function listWanted({ maxProcesses, maxTotalMemoryMb }: CommandLimits): readonly Controller[] {
  return [
    ...(maxTotalMemoryMb === null ? [] : (["memory"] as const)),
    ...(maxProcesses === null ? [] : (["pids"] as const)),
  ];
}

function toGroup(parts: readonly GroupPart[]): LimitedGroup {
  const group = { folders: parts.map(({ folder }) => folder), outside: parts.map(({ place }) => place.own) };
  const open = (controller: Controller, word: string): readonly Counter[] =>
    parts
      .filter(({ place }) => place.controllers.includes(controller))
      .map(({ folder, place }) => openCounter(join(folder, countFiles[place.version][controller]), word));
  const counters = { killed: open("memory", "oom_kill"), refused: open("pids", "max") };
  return {
    ...group,
    hold: {
      processes: parts.find(({ hold }) => hold.processes !== null)?.hold.processes ?? null,
      memory: parts.find(({ hold }) => hold.memory !== null)?.hold.memory ?? null,
    },
    readCounts: () => ({ killed: sum(counters.killed), refused: sum(counters.refused) }),
    async close() {
      for (const each of [...counters.killed, ...counters.refused]) each.close();
      await removeGroup(group);
    },
  };
}

function sum(counters: readonly Counter[]): number {
  return counters.reduce((total, each) => total + each.read(), 0);
}
