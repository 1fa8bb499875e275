import { closeSync, openSync, readSync, writeSync } from "node:fs";

const ownScore = "/proc/self/oom_score_adj";
/**
 * The score at which a process is killed before all others when memory runs out. See
 * proc_pid_oom_score_adj(5).
 */
const firstToGo = "1000";

/**
 * Makes what `spawn` starts, and everything that this starts, the first to be killed when memory
 * runs out. A process inherits its score, so this process takes it on for a moment; `spawn` must
 * have started its process when it returns. Where the system has no such score, `spawn` is simply
 * called.
 */
export function asFirstToGo<Result>(spawn: () => Result): Result {
  const fd = openScore();
  if (fd === null) return spawn();
  try {
    const before = readScore(fd);
    writeScore(fd, firstToGo);
    try {
      return spawn();
    } finally {
      writeScore(fd, before);
    }
  } finally {
    closeSync(fd);
  }
}

function openScore(): number | null {
  try {
    return openSync(ownScore, "r+");
  } catch {
    return null;
  }
}

function readScore(fd: number): string {
  const bytes = Buffer.alloc(16);
  return bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, 0));
}

/** If the system refuses, nothing changes. */
function writeScore(fd: number, score: string): void {
  try {
    writeSync(fd, score);
  } catch {
    // A policy of the system; the command runs anyway.
  }
}
