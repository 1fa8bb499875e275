import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ProcessLaunch } from "./process-launch.ts";

/** The descriptors that a launcher gets from 3 on. */
export interface DescriptorFiles {
  readonly fds: readonly number[];
  /** What the launcher has reported so far; nothing when it does not. */
  readonly readStatus: () => string;
  readonly close: () => void;
}

const maxStatusBytes = 4096;

/**
 * Each is a file in `folder` that has lost its name before anything was written to it: nobody else can read or change
 * what is in it. They are called after the launch's marker for the moment in which they have a name.
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

/** Its reader starts at the beginning: writing at a position does not move on from there. */
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
