import { platform } from "node:os";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { stopWindowsTree } from "../windows/stop-windows-tree.ts";
import { findMembers, isAlive, lookForMembers, type ProcessTree } from "./tree-members.ts";

/** How long a command may clean up after SIGTERM, in ms. */
const GRACE_MS = 500;
/** How long the kernel may take to end what was sent SIGKILL, in ms. */
const KILL_WAIT_MS = 1_000;
/** How long a process may take to become another program, in ms. */
const EXEC_WAIT_MS = 50;
/** Process ids do not come round again within this time, in ms. */
const NO_WRAP_MS = 1_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/** SIGTERM to every process of the tree, SIGKILL to what is left after the grace. Resolves when nothing is left. */
export async function stopTree(tree: ProcessTree): Promise<void> {
  const init = tree.findInit();
  if (init !== undefined) {
    await stopNamespace(tree, init);
  } else if (platform() === "win32") {
    await stopWindowsTree(tree.leader);
  } else {
    if (signalTree(tree, "SIGTERM")) await isGoneWithin(GRACE_MS, () => signalTree(tree, 0));
    if (await hasMembers(tree, "all")) await isGoneWithin(KILL_WAIT_MS, () => signalTree(tree, "SIGKILL"));
  }
}

/**
 * Ends what a command left behind that ran for `ranMs`. In the common case, nothing left and nothing else started
 * meanwhile, it costs one listing of /proc.
 */
export async function stopLeftovers(tree: ProcessTree, ranMs: number): Promise<void> {
  const init = tree.findInit();
  if (init !== undefined) {
    // The kernel ends a namespace with its process 1, but not in the same moment.
    if (!(await isGoneWithin(KILL_WAIT_MS, () => isAlive(init)))) await stopNamespace(tree, init);
  } else if (await hasMembers(tree, ranMs < NO_WRAP_MS ? "newer" : "all")) {
    await stopTree(tree);
  }
}

async function hasMembers(tree: ProcessTree, scope: "all" | "newer"): Promise<boolean> {
  if (send(-tree.leader, 0)) return true;
  for (let waited = 0; waited < EXEC_WAIT_MS; waited += 1) {
    const seen = lookForMembers(tree, scope);
    if (seen !== "unclear") return seen === "some";
    await delay(1);
  }
  return false;
}

/** The launcher would not survive SIGTERM, and take the command with it before that could clean up. */
async function stopNamespace(tree: ProcessTree, init: number): Promise<void> {
  for (const { pid } of findMembers(tree, "all") ?? []) {
    if (pid !== tree.leader && pid !== init) send(pid, "SIGTERM");
  }
  if (await isGoneWithin(GRACE_MS, () => isAlive(init))) return;
  send(-tree.leader, "SIGKILL");
  send(init, "SIGKILL");
  await isGoneWithin(KILL_WAIT_MS, () => isAlive(init));
}

/** Asks with growing pauses. */
async function isGoneWithin(limitMs: number, isThere: () => boolean): Promise<boolean> {
  for (let waited = 0, step = 1; waited < limitMs; waited += step, step = Math.min(step * 2, 50)) {
    if (!isThere()) return true;
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
