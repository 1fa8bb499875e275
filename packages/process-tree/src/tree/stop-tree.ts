import { platform } from "node:os";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessTree } from "./process-tree.ts";
import { stopWindowsTree } from "./stop-windows-tree.ts";
import { findMembers, isAlive, lookForMembers, type TreeScope } from "./tree-members.ts";

/** How long each step of an end may take, in ms. */
export interface StopGraces {
  /** Before SIGTERM: for a process that was told to end in its own way. 0: SIGTERM comes at once. */
  readonly quietMs: number;
  /** From SIGTERM to SIGKILL: to clean up. */
  readonly termMs: number;
  /** For the kernel to end what was sent SIGKILL. */
  readonly killMs: number;
}

const commandGraces: StopGraces = { quietMs: 0, termMs: 500, killMs: 1_000 };

/** How often a process that is becoming another program is looked at, at least 1 ms apart: a bound for one that never does. */
const mostLooks = 5_000;
/** Process ids do not come round again within this time, in ms. */
const noWrapMs = 1_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/**
 * SIGTERM to every process of the tree, SIGKILL to what is left after the grace. Resolves when nothing is left that
 * `findMembers` would find. `graces` absent: those of a command, 0, 500 and 1,000 ms.
 */
export async function stopTree(tree: ProcessTree, graces: StopGraces = commandGraces): Promise<void> {
  const { quietMs, termMs, killMs } = graces;
  const init = tree.findInit?.() ?? null;
  if (init !== null) {
    await stopNamespace(tree, init);
  } else if (platform() === "win32") {
    await stopWindowsTree(tree.leader);
  } else {
    if (quietMs > 0 && (await isGoneWithin(quietMs, () => isThere(tree))) && !(await hasMembers(tree, "all"))) return;
    if (signalTree(tree, "SIGTERM")) await isGoneWithin(termMs, () => isThere(tree));
    // one that is becoming another program, or ends just then, has no environment either: it is looked at once more
    const isLeft = (): boolean => signalTree(tree, "SIGKILL") || lookForMembers(tree, "all") === "unclear";
    if (await hasMembers(tree, "all")) await isGoneWithin(killMs, isLeft);
  }
}

/**
 * Ends what a command left behind that ran for `ranMs`. In the common case, nothing left and little else started
 * meanwhile, it costs a look at the few process ids that were given out since.
 */
export async function stopLeftovers(tree: ProcessTree, ranMs: number): Promise<void> {
  const init = tree.findInit?.() ?? null;
  if (init !== null) {
    // The kernel ends a namespace with its process 1, but not in the same moment.
    if (!(await isGoneWithin(commandGraces.killMs, () => isAlive(init)))) await stopNamespace(tree, init);
  } else if (await hasMembers(tree, ranMs < noWrapMs ? "newer" : "all")) {
    await stopTree(tree);
  }
}

async function hasMembers(tree: ProcessTree, scope: TreeScope): Promise<boolean> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const seen = lookForMembers(tree, scope);
    if (seen === null) return send(-tree.leader, 0);
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
  if (await isGoneWithin(commandGraces.termMs, () => isAlive(init))) return;
  send(-tree.leader, "SIGKILL");
  send(init, "SIGKILL");
  await isGoneWithin(commandGraces.killMs, () => isAlive(init));
}

/** Asks with growing pauses. */
async function isGoneWithin(limitMs: number, isThere: () => boolean): Promise<boolean> {
  for (let waited = 0, step = 1; waited < limitMs; waited += step, step = Math.min(step * 2, 50)) {
    if (!isThere()) return true;
    await delay(step);
  }
  return false;
}

/** While the leader lives nobody else needs to be looked for: that costs a listing of /proc. */
function isThere(tree: ProcessTree): boolean {
  return isAlive(tree.leader) || signalTree(tree, 0);
}

/** Returns whether there was anybody to signal; signal 0 only asks. */
function signalTree(tree: ProcessTree, signal: Signal): boolean {
  const members = findMembers(tree, "all");
  if (members === null) return send(-tree.leader, signal);
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
