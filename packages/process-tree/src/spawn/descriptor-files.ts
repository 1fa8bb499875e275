import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { ProcessLaunch } from "./process-launch.ts";

/** The descriptors that a launcher gets, from 3 on. */
export interface DescriptorFiles {
  readonly fds: readonly number[];
  /** The launcher's report so far; empty if it does not report. */
  readonly readStatus: () => string;
  readonly close: () => void;
}

/** Absolute paths. */
interface DescriptorFolders {
  /** Commands cannot write there. */
  readonly stateFolder: string;
  /** Absent: nothing else is tried if that is full. */
  readonly spareFolder?: string;
}

const maxStatusBytes = 4096;

/** The launcher writes over it: so the disk has room for its report before it starts. */
const room = new TextEncoder().encode(" ");

/**
 * Each is a file in the state folder that is unlinked before anything is written to it, so no one
 * else can read or change it. While it has a name, it is that of the launch's marker. If the disk of
 * that folder is full, the files are in the spare folder, where they never have a name. Throws an error that names the folders.
 */
export function openDescriptorFiles(launch: ProcessLaunch, folders: DescriptorFolders): DescriptorFiles {
  const { inputs, reportsStatus, marker } = launch;
  const contents = reportsStatus ? [...inputs, room] : inputs;
  const fds: number[] = [];
  const close = (): void => fds.forEach((fd) => closeSync(fd));
  try {
    for (const [index, bytes] of contents.entries()) {
      fds.push(openFile(`${marker}.${index}`, bytes, folders));
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

function openFile(name: string, bytes: Uint8Array, { stateFolder, spareFolder }: DescriptorFolders): number {
  try {
    return fill(openNamelessFile(join(stateFolder, name)), bytes);
  } catch (error) {
    const refused = `${stateFolder}: ${describeSystemError(error)}`;
    if (spareFolder === undefined || !fullDisk.has(systemErrorCode(error) ?? ""))
      throw new Error(refused, { cause: error });
    return fillSpare(spareFolder, bytes, refused);
  }
}

const fullDisk: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

function fillSpare(folder: string, bytes: Uint8Array, before: string): number {
  try {
    return fill(openSync(folder, unnamed, 0o600), bytes);
  } catch (error) {
    throw new Error(`${before}; ${folder}: ${describeSystemError(error)}`, { cause: error });
  }
}

/** O_TMPFILE of open(2), which Node has no name for: commands may write the folder, so a name would be theirs to open. */
const unnamed = constants.O_RDWR | constants.O_EXCL | constants.O_DIRECTORY | 0o20_000_000;

function openNamelessFile(path: string): number {
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

/** Its reader starts at the beginning: a write at a position does not move the offset. */
function fill(fd: number, bytes: Uint8Array): number {
  try {
    writeSync(fd, bytes, 0, bytes.length, 0);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function readFromStart(fd: number): string {
  const bytes = Buffer.alloc(maxStatusBytes);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0)).trim();
}
