import { readdirSync, readFileSync } from "node:fs";

/** The variable by which the processes of a command are found again, whatever group or session they moved to. */
export const MARKER_VARIABLE = "UNROLL_EXEC_ID";

/** All processes of one command. */
export interface ProcessTree {
  /** Process id and process group id of its first process. */
  readonly leader: number;
  /** The value of `MARKER_VARIABLE` in its environment. */
  readonly marker: string;
  /**
   * Process 1 of its own namespace, once there is one: when that has ended, nothing of the tree is left. Then it and the
   * leader are the sandbox's launcher, not the command.
   */
  readonly findInit: () => number | undefined;
}

/** A living process of a tree. */
export interface TreeMember {
  readonly pid: number;
  /** Whether a signal to the leader's group reaches it. */
  readonly inGroup: boolean;
}

/**
 * Reads /proc. `newer` looks only at process ids that were given out after the leader's. Nothing where there is no
 * /proc. A process that left the group and also emptied its environment is not found.
 */
export function findMembers(tree: ProcessTree, scope: "all" | "newer"): readonly TreeMember[] | undefined {
  return look(tree, scope)?.filter((found) => found !== "unclear");
}

/**
 * As `findMembers`, whether there are any. `unclear`: a process is just becoming another program, and for that moment has no
 * environment that would tell whose it is.
 */
export function lookForMembers(tree: ProcessTree, scope: "all" | "newer"): "some" | "none" | "unclear" {
  const found = look(tree, scope) ?? [];
  if (found.length === 0) return "none";
  return found.every((each) => each === "unclear") ? "unclear" : "some";
}

function look(tree: ProcessTree, scope: "all" | "newer"): readonly (TreeMember | "unclear")[] | undefined {
  const pids = listProcesses();
  const isNewer = isNewerThan(tree.leader);
  return pids
    ?.filter((pid) => scope === "all" || isNewer(pid))
    .flatMap((pid) => readMember(tree, pid) ?? [])
    .filter((found) => found.standing !== "unclear" || isNewer(found.pid))
    .map((found) =>
      found.standing === "unclear" ? "unclear" : { pid: found.pid, inGroup: found.standing === "group" },
    );
}

function listProcesses(): readonly number[] | undefined {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return undefined;
  }
}

/** Ids are given out in ascending order and start again at the bottom. */
function isNewerThan(leader: number): (pid: number) => boolean {
  const newest = Number(readProcFile("loadavg")?.trim().split(" ").at(-1));
  return newest >= leader ? (pid) => pid > leader && pid <= newest : (pid) => pid > leader || pid <= newest;
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return readGroup(pid) !== undefined;
}

interface Found {
  readonly pid: number;
  readonly standing: "group" | "marked" | "unclear";
}

function readMember(tree: ProcessTree, pid: number): Found | undefined {
  const group = readGroup(pid);
  if (group === undefined) return undefined;
  if (group === tree.leader) return { pid, standing: "group" };
  const environment = readProcFile(`${pid}/environ`);
  if (environment === "") return { pid, standing: "unclear" };
  const isMarked = environment?.split("\0").includes(`${MARKER_VARIABLE}=${tree.marker}`);
  return isMarked === true ? { pid, standing: "marked" } : undefined;
}

/** Nothing for a process that does not run, and for the kernel's own. */
function readGroup(pid: number): number | undefined {
  const stat = readProcFile(`${pid}/stat`);
  // The name in parentheses may hold blanks and parentheses; state, parent, group, session, terminal and its group, and
  // flags follow the last one.
  const [state, , group, , , , flags] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return (Number(flags) & KERNEL_THREAD) === 0 ? Number(group) : undefined;
}

/** PF_KTHREAD of the kernel's sched.h. */
const KERNEL_THREAD = 0x20_0000;

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return undefined;
  }
}
