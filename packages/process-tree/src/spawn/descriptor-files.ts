import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ProcessLaunch } from "./process-launch.ts";

/** The descriptors that a launcher gets, from 3 on. */
export interface DescriptorFiles {
  readonly fds: readonly number[];
  /** The launcher's report so far; empty if it does not report. */
  readonly readStatus: () => string;
  readonly close: () => void;
}

const maxStatusBytes = 4096;

/**
 * Each is a file in `folder` that is unlinked before anything is written to it, so no one else can
 * read or change it. While it has a name, it is that of the launch's marker.
 */
export function openDescriptorFiles(launch: ProcessLaunch, folder: string): DescriptorFiles {
  const { inputs, reportsStatus, marker } = launch;
  const contents = reportsStatus ? [...inputs, new Uint8Array()] : inputs;
  const fds: number[] = [];
  const close = (): void => fds.forEach((fd) => closeSync(fd));
  try {
    for (const [index, bytes] of contents.entries()) {
      fds.push(openNamelessFile(join(folder, `${marker}.${index}`), bytes));
    }
  } catch (error) {
    close();
    throw error;
  }
  const statusFd = reportsStatus ? fds.at(-1) : undefined;
  return {
    fds,
    readStatus: () => (statusFd === undefined ? "" : readFromStart(statusFd)),
    close,
  };
}

/** Its reader starts at the beginning: a write at a position does not move the offset. */
function openNamelessFile(path: string, bytes: Uint8Array): number {
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  writeSync(fd, bytes, 0, bytes.length, 0);
  return fd;
}

function readFromStart(fd: number): string {
  const bytes = Buffer.alloc(maxStatusBytes);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
}
