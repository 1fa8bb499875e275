import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { once } from "@unroll/flow";

/** The user and group of this process, by number; -1 on Windows. */
export interface OwnUser {
  readonly uid: number;
  readonly gid: number;
}

/** Looked up once: the list of users may be long, or on another machine. */
export const findOwnUser: () => OwnUser = once(() => {
  try {
    return userInfo();
  } catch {
    return statSync("/proc/self"); // in some containers the user has no name, and `userInfo` fails
  }
});
