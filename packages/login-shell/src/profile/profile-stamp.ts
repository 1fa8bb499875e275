import { type BigIntStats, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Identifies the current contents of files: each by its identity, size and times, missing ones as missing. A folder's
 * stamp includes the files in it. Two stamps are equal exactly when nothing of that has changed.
 */
export function stampFiles(paths: readonly string[]): string {
  return paths.map(stampFile).join("\n");
}

function stampFile(path: string): string {
  const stats = look(path);
  if (stats?.isDirectory() !== true) return toStamp(path, stats);
  return [toStamp(path, stats), ...listFiles(path).map((file) => toStamp(file, look(file)))].join("\n");
}

function toStamp(path: string, stats: BigIntStats | null): string {
  return stats === null ? path : `${path} ${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/** Null also where it may not be looked at: the shell cannot read it either. */
function look(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
