import { statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOldSiblings } from "@unroll/files";
import type { Clock } from "@unroll/flow";

/** A file that commands read when they start, and nobody else. */
export interface CaptureFile {
  /** Absolute. */
  readonly path: string;
  /** Whether it is what was written: not moved, not touched. */
  isWhole(): boolean;
}

/** Folders in one folder of this user's alone. Disposing it removes them. */
export interface CaptureFolder extends AsyncDisposable {
  /** A new empty one; absolute. Rejects where the system does. */
  open(): Promise<string>;
  /** Removes one of them; it may be gone. */
  remove(folder: string): Promise<void>;
}

/** In ms. An older file is not in use: captures are renewed sooner. */
const maxAge = 4 * 3_600_000;

/** `folder`, absolute, is made with the first that is opened; beside it lie only others like it, of which old ones are removed then. */
export function createCaptureFolder(folder: string, now: Clock["now"]): CaptureFolder {
  let count = 0;
  return {
    async open() {
      const path = join(folder, String((count += 1)));
      await mkdir(path, { recursive: true, mode: 0o700 });
      if (count === 1) await removeOldSiblings(folder, now() - maxAge).catch(() => {}); // the next one tries again
      return path;
    },
    remove: (path) => rm(path, { recursive: true, force: true }).catch(() => {}), // it goes with the folder
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }).catch(() => {}), // another one tries again
  };
}

/** Mode 0600. Rejects where the system does, and where there is something of the name. */
export async function writeCaptureFile(path: string, text: string): Promise<CaptureFile> {
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
  const written = toIdentity(path);
  return { path, isWhole: () => written !== null && toIdentity(path) === written };
}

/** The time of the last change of any kind is the system's to set, nobody else's. */
function toIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev} ${stats.ino} ${stats.size} ${stats.ctimeNs}`;
}
