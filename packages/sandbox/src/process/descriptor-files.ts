import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LaunchPlan } from "../plan/launch-plan.ts";

/** The descriptors that a launcher gets from 3 on. */
export interface DescriptorFiles {
  readonly fds: readonly number[];
  /** What the launcher has reported so far; nothing when it does not. */
  readonly readStatus: () => string;
  readonly close: () => void;
}

const MOST_STATUS_BYTES = 4096;

/**
 * Each is a file in `folder` that has lost its name before anything was written to it: nobody else can read or change
 * what the walls are built from. `name` must be unique in the folder.
 */
export function openDescriptorFiles(plan: LaunchPlan, folder: string, name: string): DescriptorFiles {
  const contents = plan.reportsStatus ? [...plan.inputs, new Uint8Array()] : plan.inputs;
  const fds = contents.map((bytes, index) => openNamelessFile(join(folder, `${name}.${index}`), bytes));
  const statusFd = plan.reportsStatus ? fds.at(-1) : undefined;
  return {
    fds,
    readStatus: () => (statusFd === undefined ? "" : readFromStart(statusFd)),
    close: () => fds.forEach((fd) => closeSync(fd)),
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
  const bytes = Buffer.alloc(MOST_STATUS_BYTES);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
}
