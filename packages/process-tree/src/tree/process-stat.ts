import { readFileSync } from "node:fs";
import { systemErrorCode } from "@unroll/text";

/** Returns a field of proc_pid_stat(5) by its number, from 1; empty if there is no such field. */
export type ProcessStat = (field: number) => string;

/**
 * Reads a process's line in /proc, by its id or as `self`. Null: it has ended, or the system has no
 * /proc.
 */
export function readProcessStat(process: string): ProcessStat | null {
  const stat = readProcFile(`${process}/stat`);
  if (stat === null || stat === "") return null;
  // Field 2, the name in parentheses, may contain blanks and parentheses.
  const [begin, end] = [stat.indexOf("("), stat.lastIndexOf(")") + 1];
  const fields = [stat.slice(0, begin).trim(), stat.slice(begin, end), ...stat.slice(end).trim().split(" ")];
  return (field) => fields[field - 1] ?? "";
}

/**
 * Null: the process has ended, or belongs to another user. Empty: it has no memory any more, but
 * has not ended yet.
 */
export function readProcFile(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch (error) {
    return systemErrorCode(error) === "ESRCH" ? "" : null; // Linux 6.15 reports this error; older versions give an empty file
  }
}
