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
  /** How long it has computed so far, with its children that have ended, in ms of a processor. */
  readonly computedMs: number;
}

/** `newer`: only process ids that were given out after the leader's. */
export type TreeScope = "all" | "newer";

/**
 * Reads /proc. Null where there is none. A process that left the group and also emptied its environment is not found, nor one
 * that is another user's.
 */
export function findMembers(tree: ProcessTree, scope: TreeScope): readonly TreeMember[] | null {
  return look(tree, scope)?.filter((found) => found !== "unclear") ?? null;
}

/**
 * As `findMembers`, whether there are any. `unclear`: a process is just becoming another program, and for that moment has no
 * environment that would tell whose it is. Null where there is no /proc.
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

/** So many ids are tried one by one in less time than all of /proc is listed. */
const fewIds = 100;

/** Those of the few ids after the leader's that are processes. Null where that is no good way to find them. */
function listBetween(leader: number, newest: number): readonly number[] | null {
  const count = newest - leader;
  if (!(count >= 0 && count <= fewIds)) return null;
  return Array.from({ length: count }, (_, index) => leader + 1 + index).filter((pid) => existsSync(`/proc/${pid}`));
}

/** The id that was given out last; NaN or 0 where the system does not tell. */
function readNewest(): number {
  return Number(readProcFile("loadavg")?.trim().split(" ").at(-1));
}

/** Ids are given out in ascending order and start again at the bottom. */
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
    const now = readState(pid); // it may have begun to end, or to become another program, between the two reads
    if (now === null) return null;
    if (!isSettled || !now.isSettled) return { pid, standing: "unclear", ...work };
  }
  const isMarked = environment?.split("\0").includes(`${markerVariable}=${tree.marker}`) === true;
  return isMarked ? { pid, standing: "marked", ...work } : null;
}

/** What /proc says of a process. */
interface ProcessState extends Pick<TreeMember, "isBusy" | "computedMs"> {
  readonly group: number;
  /** Whether it has the place of an environment, if only of an empty one: not while it becomes another program. */
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

/** In what /proc counts the time of processors: the same on all machines that we know. */
const tickMs = 10;

/** PF_KTHREAD of the kernel's sched.h. */
const kernelThread = 0x20_0000;
