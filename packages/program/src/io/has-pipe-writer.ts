import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Whether a program that did not start us can write to the pipe of this inode: in `a | b`, `a`. A parent process that
 * opened the pipe may never write to it. False if this is unknown: no /proc, or a program of another user.
 */
export function hasPipeWriter(inode: number, ownPid: number): boolean {
  const ancestors = listAncestors(ownPid);
  return list("/proc").some((pid) => /^\d+$/.test(pid) && !ancestors.has(pid) && holdsWriteEnd(pid, inode));
}

/** And this process. */
function listAncestors(ownPid: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (let pid = String(ownPid); pid !== "0" && pid !== "" && !found.has(pid); pid = readParent(pid)) found.add(pid);
  return found;
}

function readParent(pid: string): string {
  return /^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? "";
}

function holdsWriteEnd(pid: string, inode: number): boolean {
  return list(`/proc/${pid}/fd`).some(
    (fd) => readLink(`/proc/${pid}/fd/${fd}`) === `pipe:[${inode}]` && isWritten(`/proc/${pid}/fdinfo/${fd}`),
  );
}

/** The last octal digit of the flags says how it was opened: 0 to read (proc_pid_fdinfo(5), open(2)). */
function isWritten(info: string): boolean {
  const [, mode] = /^flags:\s+\d*([0-7])$/m.exec(read(info)) ?? [];
  return mode !== undefined && Number(mode) % 4 !== 0;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
