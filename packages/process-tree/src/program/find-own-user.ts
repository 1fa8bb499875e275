import { statSync } from "node:fs";
import { userInfo } from "node:os";

/** The user and group that this process has, by number; -1 on Windows. */
export interface OwnUser {
  readonly uid: number;
  readonly gid: number;
}

/** In some containers the user has no name, and `userInfo` fails. */
export function findOwnUser(): OwnUser {
  try {
    return userInfo();
  } catch {
    return statSync("/proc/self");
  }
}
