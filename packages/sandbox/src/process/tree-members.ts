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
  const pids = listProcesses();
  const isCandidate = scope === "all" ? () => true : isNewerThan(tree.leader);
  return pids?.filter(isCandidate).flatMap((pid) => readMember(tree, pid) ?? []);
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

function readMember(tree: ProcessTree, pid: number): TreeMember | undefined {
  const group = readGroup(pid);
  if (group === undefined) return undefined;
  if (group === tree.leader) return { pid, inGroup: true };
  const environment = readProcFile(`${pid}/environ`)?.split("\0");
  return environment?.includes(`${MARKER_VARIABLE}=${tree.marker}`) ? { pid, inGroup: false } : undefined;
}

function readGroup(pid: number): number | undefined {
  const stat = readProcFile(`${pid}/stat`);
  // The name in parentheses may hold blanks and parentheses; state, parent and group follow the last one.
  const [state, , group] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return state === undefined || state === "Z" || state === "X" ? undefined : Number(group);
}

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return undefined;
  }
}
