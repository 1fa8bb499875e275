import { readdirSync, readFileSync } from "node:fs";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** The variable by which a server's processes are found again, whatever group or session they moved to. */
export const MARKER_VARIABLE = "UNROLL_MCP_ID";

/** All processes of one server. */
export interface ServerTree {
  /** The process group of its first process. */
  readonly group: number;
  /** The value of `MARKER_VARIABLE` in its environment: letters, digits and `-`, and no other server's. */
  readonly marker: string;
}

/** What ends a tree, one after the other, each with the time that it is given, in ms. */
const steps = [
  { signal: 0, graceMs: 300 },
  { signal: "SIGTERM", graceMs: 700 },
  { signal: "SIGKILL", graceMs: 1_000 },
] as const;

/**
 * Waits a moment for a server that was told to end by the end of its input, then sends SIGTERM, then SIGKILL. Resolves
 * when nothing of it is left. A process that left the group is not found where there is no /proc, nor where it also
 * emptied its environment.
 */
export async function endServerTree(tree: ServerTree): Promise<void> {
  for (const { signal, graceMs } of steps) {
    signalTree(tree, signal);
    if (await isGoneWithin(tree, graceMs)) return;
  }
}

async function isGoneWithin(tree: ServerTree, limitMs: number): Promise<boolean> {
  for (let waited = 0, step = 2; waited < limitMs; waited += step, step = Math.min(step * 2, 50)) {
    if (!isAlive(tree)) return true;
    await delay(step);
  }
  return false;
}

/** The dead that nobody has reaped count as members for `kill`: where there is a /proc it knows better. */
function isAlive(tree: ServerTree): boolean {
  const members = findMembers(tree);
  return members === undefined ? send(-tree.group, 0) : members.length > 0;
}

function signalTree(tree: ServerTree, signal: NodeJS.Signals | 0): void {
  send(-tree.group, signal);
  for (const { pid, inGroup } of findMembers(tree) ?? []) if (!inGroup) send(pid, signal);
}

interface Member {
  readonly pid: number;
  readonly inGroup: boolean;
}

/** The living; undefined where there is no /proc. */
function findMembers(tree: ServerTree): readonly Member[] | undefined {
  try {
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    return pids.flatMap((pid) => readMember(pid, tree) ?? []);
  } catch {
    return undefined;
  }
}

function readMember(pid: number, { group, marker }: ServerTree): Member | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold blanks and parentheses; state, parent and group follow the last one.
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    if (Number(memberOf) === group) return { pid, inGroup: true };
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return environment.includes(`${MARKER_VARIABLE}=${marker}`) ? { pid, inGroup: false } : undefined;
  } catch {
    // It ended meanwhile, or belongs to another user.
    return undefined;
  }
}

/** Whether there was anybody to signal; signal 0 only asks. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(pid, signal);
  } catch {
    // Gone, or by now another user's: either way not ours to end.
    return false;
  }
}
