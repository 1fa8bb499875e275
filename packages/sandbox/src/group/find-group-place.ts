import { constants, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFile, mayAccess, readTextIfAny } from "@unroll/files";
import type { Controller, Hierarchy } from "./read-hierarchies.ts";

/** A place in one tree where a group of ours can be created. */
export interface GroupPlace {
  readonly version: 1 | 2;
  readonly parent: string;
  /** The requested controllers that work here; never empty. */
  readonly controllers: readonly Controller[];
  /** The folder of the group that this process is in. */
  readonly own: string;
  /**
   * A limit on processes, set by a group between ours and the new one, which our processes would
   * leave; null: there is none.
   */
  readonly leftProcesses: number | null;
}

/** `obstacle`: the rest of a sentence. */
export type GroupPlaceFinding = GroupPlace | { readonly obstacle: string };

/** Null: this tree has none of the wanted controllers. */
export function findGroupPlace(hierarchy: Hierarchy, wanted: readonly Controller[]): GroupPlaceFinding | null {
  const controllers = hierarchy.controllers.filter((each) => wanted.includes(each));
  if (controllers.length === 0) return null;
  return hierarchy.version === 1 ? findFirst(hierarchy, controllers) : findSecond(hierarchy, controllers);
}

function findFirst({ own }: Hierarchy, controllers: readonly Controller[]): GroupPlaceFinding {
  if (!mayAccess(own, constants.W_OK)) return { obstacle: `${own} may not be written` };
  return { version: 1, parent: own, controllers, own, leftProcesses: null };
}

/**
 * Below our own group if that passes on its controllers, which only the root does. Otherwise beside
 * our group: in the next one outwards that we may write.
 */
function findSecond({ own, top }: Hierarchy, wanted: readonly Controller[]): GroupPlaceFinding | null {
  if (!readWords(join(top, "cgroup.controllers")).some((each) => isOneOf(each, wanted))) return null;
  if (own === top) enableAtRoot(top, wanted);
  const left: string[] = [];
  for (let parent = own; ; parent = dirname(parent)) {
    const controllers = wanted.filter((each) => readWords(join(parent, "cgroup.subtree_control")).includes(each));
    const isOpen = [parent, join(parent, "cgroup.procs")].every((path) => mayAccess(path, constants.W_OK));
    if (controllers.length > 0 && isOpen) {
      const limit = left.flatMap(listLimits)[0];
      if (limit !== undefined)
        return { obstacle: `commands would leave a limit that is set around this program (${limit})` };
      return { version: 2, parent, controllers, own, leftProcesses: findLeast(left) };
    }
    if (parent === top) return { obstacle: `neither ${own} nor a folder around it may be given a group with limits` };
    left.push(parent);
  }
}

/**
 * Only the root group, which has no type, may hold both processes and groups with limits. Passing
 * on its controllers limits nothing by itself.
 */
function enableAtRoot(top: string, wanted: readonly Controller[]): void {
  const file = join(top, "cgroup.subtree_control");
  const isThere = wanted.every((each) => readWords(file).includes(each));
  if (isThere || isFile(join(top, "cgroup.type"))) return;
  try {
    writeFileSync(file, wanted.map((each) => `+${each}`).join(" "));
  } catch {
    // Then it passes on the same controllers as before.
  }
}

/**
 * The limits of a group, by file. The limit on processes is not included: systemd sets one
 * everywhere, and it can be copied.
 */
function listLimits(folder: string): readonly string[] {
  return ["memory.max", "memory.high", "memory.swap.max", "cpu.max", "io.max"]
    .map((name) => join(folder, name))
    .filter((file) => !["", "max"].includes(readWords(file)[0] ?? ""));
}

function findLeast(folders: readonly string[]): number | null {
  const numbers = folders.map((folder) => Number.parseInt(readWords(join(folder, "pids.max"))[0] ?? "", 10));
  const limits = numbers.filter(Number.isInteger);
  return limits.length === 0 ? null : Math.min(...limits);
}

function isOneOf(name: string, controllers: readonly Controller[]): boolean {
  return controllers.some((each) => each === name);
}

function readWords(file: string): readonly string[] {
  return (readTextIfAny(file) ?? "").split(/\s+/).filter(Boolean);
}
