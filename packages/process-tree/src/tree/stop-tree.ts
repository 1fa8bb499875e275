import { platform } from "node:os";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessTree } from "./process-tree.ts";
import { stopWindowsTree } from "./stop-windows-tree.ts";
import { findMembers, isAlive, lookForMembers, type TreeScope } from "./tree-members.ts";

/** In ms: how long each step of stopping may take. */
export interface StopGraces {
  /** Before SIGTERM, for a process that was asked to end in its own way. 0: SIGTERM is sent at once. */
  readonly quietMs: number;
  /** From SIGTERM to SIGKILL, to clean up. */
  readonly termMs: number;
  /** After SIGKILL, for the kernel to end the processes. */
  readonly killMs: number;
}

const commandGraces: StopGraces = { quietMs: 0, termMs: 500, killMs: 1_000 };

/**
 * How often a process that is running exec is looked at, at least 1 ms apart: a limit for one that
 * never finishes.
 */
const mostLooks = 5_000;
/** In ms: process ids are not reused within this time. */
const noWrapMs = 1_000;

type Signal = "SIGTERM" | "SIGKILL" | 0;

/**
 * Sends SIGTERM to every process of the tree, and SIGKILL to those left after the grace. Resolves
 * when nothing is left that `findMembers` would find. `graces` absent: 0, 500 and 1,000 ms.
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
    // A process that runs exec, or is just ending, has no environment either: look at it once more.
    const isLeft = (): boolean => signalTree(tree, "SIGKILL") || lookForMembers(tree, "all") === "unclear";
    if (await hasMembers(tree, "all")) await isGoneWithin(killMs, isLeft);
  }
}

/**
 * Ends what a command left behind that ran for `ranMs`. Usually nothing is left and few processes
 * were started meanwhile; then it only looks at the few process ids assigned since.
 */
export async function stopLeftovers(tree: ProcessTree, ranMs: number): Promise<void> {
  const init = tree.findInit?.() ?? null;
  if (init !== null) {
    // The kernel ends a namespace with its process 1, but not in the same instant.
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

/** The launcher would not survive SIGTERM, and would take the command with it before that could clean up. */
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

/** While the leader lives, nobody else needs to be searched: that would list /proc. */
function isThere(tree: ProcessTree): boolean {
  return isAlive(tree.leader) || signalTree(tree, 0);
}

/** Returns whether there was a process to signal; signal 0 only asks. */
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
    // It ended, or its id now belongs to another user: either way we must not stop it.
    return false;
  }
}
