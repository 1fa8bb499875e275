import { readdirSync, readFileSync } from "node:fs";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** What ends a group, one after the other, each with the time that it is given, in ms. */
const steps = [
  { signal: 0, graceMs: 300 },
  { signal: "SIGTERM", graceMs: 700 },
  { signal: "SIGKILL", graceMs: 1_000 },
] as const;

/**
 * Waits a moment for a process group that was told to end by the end of its input, then sends SIGTERM, then SIGKILL.
 * Resolves when nothing of it is left. A process that left the group is not found.
 */
export async function endProcessGroup(group: number): Promise<void> {
  for (const { signal, graceMs } of steps) {
    send(group, signal);
    if (await isGoneWithin(group, graceMs)) return;
  }
}

async function isGoneWithin(group: number, limitMs: number): Promise<boolean> {
  for (let waited = 0, step = 2; waited < limitMs; waited += step, step = Math.min(step * 2, 50)) {
    if (!isAlive(group)) return true;
    await delay(step);
  }
  return false;
}

/** The dead that nobody has reaped count as members for `kill`: where there is a /proc it knows better. */
function isAlive(group: number): boolean {
  return send(group, 0) && (findMember(group) ?? true);
}

/** Whether a process of the group lives; undefined where there is no /proc. */
function findMember(group: number): boolean | undefined {
  try {
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLivingMember(name, group));
  } catch {
    return undefined;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold blanks and parentheses; state, parent and group follow the last one.
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(memberOf) === group && state !== "Z" && state !== "X";
  } catch {
    // It ended meanwhile.
    return false;
  }
}

/** Whether there was anybody to signal; signal 0 only asks. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(-group, signal);
  } catch {
    // Gone, or by now another user's: either way not ours to end.
    return false;
  }
}
