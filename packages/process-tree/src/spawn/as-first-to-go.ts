import { closeSync, openSync, readSync, writeSync } from "node:fs";

const ownScore = "/proc/self/oom_score_adj";
/** From here on everything else is ended before a process when the machine runs out of memory. See proc_pid_oom_score_adj(5). */
const firstToGo = "1000";

/**
 * What `spawn` starts, and all that this starts, is what the system ends first when memory runs out. A process has that from
 * the one that starts it, so it is this one's own for the moment; `spawn` has started its process when it returns. Where
 * there is no such thing, it is just called.
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

/** What the system refuses stays as it is. */
function writeScore(fd: number, score: string): void {
  try {
    writeSync(fd, score);
  } catch {
    // A policy of the system; the command runs all the same.
  }
}
