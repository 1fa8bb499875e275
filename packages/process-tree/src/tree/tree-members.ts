import { existsSync, readdirSync } from "node:fs";
import { readProcessStat, readProcFile } from "./process-stat.ts";
import { markerVariable, type ProcessTree } from "./process-tree.ts";

/** A living process of a tree. */
export interface TreeMember {
  readonly pid: number;
  /** Whether a signal to the leader's group reaches it. */
  readonly inGroup: boolean;
  /** Whether it computes, or waits for a processor or a disk. */
  readonly isBusy: boolean;
  /** In ms of processor time, including its children that have ended. */
  readonly computedMs: number;
}

/** `newer`: only process ids assigned after the leader's. */
export type TreeScope = "all" | "newer";

/**
 * Reads /proc. Null: there is none. Misses a process that left the group and also cleared its
 * environment, and processes of other users.
 */
export function findMembers(tree: ProcessTree, scope: TreeScope): readonly TreeMember[] | null {
  return look(tree, scope)?.filter((found) => found !== "unclear") ?? null;
}

/**
 * Whether the tree has members, like `findMembers`. `unclear`: a process is running exec, and has
 * no environment for that moment. Null: there is no /proc.
 */
export function lookForMembers(tree: ProcessTree, scope: TreeScope): "some" | "none" | "unclear" | null {
  const found = look(tree, scope);
  if (found === null) return null;
  if (found.length === 0) return "none";
  return found.every((each) => each === "unclear") ? "unclear" : "some";
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return readState(pid) !== null;
}

function look(tree: ProcessTree, scope: TreeScope): readonly (TreeMember | "unclear")[] | null {
  const newest = readNewest();
  const pids = (scope === "newer" ? listBetween(tree.leader, newest) : null) ?? listProcesses();
  if (pids === null) return null;
  const isNewer = isNewerThan(tree.leader, newest);
  return pids
    .filter((pid) => scope === "all" || isNewer(pid))
    .flatMap((pid) => readMember(tree, pid) ?? [])
    .filter((found) => found.standing !== "unclear" || isNewer(found.pid))
    .map(({ standing, ...rest }) => (standing === "unclear" ? "unclear" : { ...rest, inGroup: standing === "group" }));
}

function listProcesses(): readonly number[] | null {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return null;
  }
}

/** Trying this many ids one by one is faster than listing /proc. */
const fewIds = 100;

/** The processes among the few ids after the leader's. Null: too many ids to try. */
function listBetween(leader: number, newest: number): readonly number[] | null {
  const count = newest - leader;
  if (!(count >= 0 && count <= fewIds)) return null;
  return Array.from({ length: count }, (_, index) => leader + 1 + index).filter((pid) => existsSync(`/proc/${pid}`));
}

/** The id assigned last; NaN or 0: the system does not say. */
function readNewest(): number {
  return Number(readProcFile("loadavg")?.trim().split(" ").at(-1));
}

/** Ids are assigned in ascending order and then start again from the bottom. */
function isNewerThan(leader: number, newest: number): (pid: number) => boolean {
  return newest >= leader ? (pid) => pid > leader && pid <= newest : (pid) => pid > leader || pid <= newest;
}

interface Found extends Omit<TreeMember, "inGroup"> {
  readonly standing: "group" | "marked" | "unclear";
}

function readMember(tree: ProcessTree, pid: number): Found | null {
  const state = readState(pid);
  if (state === null) return null;
  const { group, isSettled, ...work } = state;
  if (group === tree.leader) return { pid, standing: "group", ...work };
  const environment = readProcFile(`${pid}/environ`);
  if (environment === "") {
    const now = readState(pid); // it may have begun to end, or to run exec, between the two reads
    if (now === null) return null;
    if (!isSettled || !now.isSettled) return { pid, standing: "unclear", ...work };
  }
  const isMarked = environment?.split("\0").includes(`${markerVariable}=${tree.marker}`) === true;
  return isMarked ? { pid, standing: "marked", ...work } : null;
}

/** The state of a process in /proc. */
interface ProcessState extends Pick<TreeMember, "isBusy" | "computedMs"> {
  readonly group: number;
  /** Whether it has an environment, even an empty one; not so while it runs exec. */
  readonly isSettled: boolean;
}

/** Null for a process that does not run, and for the kernel's own. */
function readState(pid: number): ProcessState | null {
  const field = readProcessStat(String(pid));
  if (field === null) return null;
  const state = field(3);
  if (state === "Z" || state === "X") return null;
  if ((Number(field(9)) & kernelThread) !== 0) return null;
  return {
    group: Number(field(5)),
    isBusy: state === "R" || state === "D",
    computedMs: [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0) * tickMs,
    isSettled: Number(field(50)) !== 0,
  };
}

/** In ms: the unit in which /proc counts processor time, the same on all known machines. */
const tickMs = 10;

/** PF_KTHREAD in the kernel's sched.h. */
const kernelThread = 0x20_0000;
