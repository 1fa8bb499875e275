import { readFileSync } from "node:fs";
import { systemErrorCode } from "@unroll/text";

/** Gives a field of proc_pid_stat(5) by its number, from 1; an empty text for one that there is not. */
export type ProcessStat = (field: number) => string;

/** What /proc says of a process: of its id, or of `self`. Null where it ended meanwhile, and on systems without /proc. */
export function readProcessStat(process: string): ProcessStat | null {
  const stat = readProcFile(`${process}/stat`);
  if (stat === null || stat === "") return null;
  // The name in parentheses, field 2, may hold blanks and parentheses.
  const [begin, end] = [stat.indexOf("("), stat.lastIndexOf(")") + 1];
  const fields = [stat.slice(0, begin).trim(), stat.slice(begin, end), ...stat.slice(end).trim().split(" ")];
  return (field) => fields[field - 1] ?? "";
}

/** Null where the process ended meanwhile, or belongs to another user; empty where it has no memory any more, and not ended yet. */
export function readProcFile(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch (error) {
    return systemErrorCode(error) === "ESRCH" ? "" : null; // Linux 6.15 says it so, older ones give nothing to read
  }
}
