import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { findMembers, type ProcessTree } from "./tree-members.ts";

/** How long a command may clean up after SIGTERM, in ms. */
const GRACE_MS = 500;
/** How long the kernel may take to end what was sent SIGKILL, in ms. */
const KILL_WAIT_MS = 1_000;
/** Process ids do not come round again within this time, in ms. */
const NO_WRAP_MS = 1_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/** SIGTERM to every process of the tree, SIGKILL to what is left after the grace. Resolves when nothing is left. */
export async function stopTree(tree: ProcessTree): Promise<void> {
  if (!signalTree(tree, "SIGTERM")) return;
  if (await signalUntilGone(tree, 0, GRACE_MS)) return;
  await signalUntilGone(tree, "SIGKILL", KILL_WAIT_MS);
}

/**
 * Ends what a command left behind that ran for `ranMs`. In the common case, nothing left and nothing else started
 * meanwhile, it costs one listing of /proc.
 */
export async function stopLeftovers(tree: ProcessTree, ranMs: number): Promise<void> {
  const isLeft = send(-tree.leader, 0) || findMembers(tree, ranMs < NO_WRAP_MS ? "newer" : "all")?.length;
  if (isLeft) await stopTree(tree);
}

async function signalUntilGone(tree: ProcessTree, signal: Signal, limitMs: number): Promise<boolean> {
  for (let waited = 0, step = 2; waited < limitMs; waited += step, step = Math.min(step * 2, 50)) {
    if (!signalTree(tree, signal)) return true;
    await delay(step);
  }
  return false;
}

/** Returns whether there was anybody to signal; signal 0 only asks. */
function signalTree(tree: ProcessTree, signal: Signal): boolean {
  const members = findMembers(tree, "all");
  if (members === undefined) return send(-tree.leader, signal);
  if (members.some(({ inGroup }) => inGroup)) send(-tree.leader, signal);
  for (const { pid, inGroup } of members) if (!inGroup) send(pid, signal);
  return members.length > 0;
}

function send(pid: number, signal: Signal): boolean {
  try {
    return kill(pid, signal);
  } catch {
    // Gone, or by now another user's: either way not ours to stop.
    return false;
  }
}
